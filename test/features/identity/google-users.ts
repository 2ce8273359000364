import { eq } from 'drizzle-orm';
import { users } from '#db/schema/users.ts';
import { db } from '#support/factories.ts';

/** Ten digits, without letters that could form a name. */
export function uniqueDigits(): string {
  return String(crypto.getRandomValues(new Uint32Array(1))[0]).padStart(10, '0');
}

export function userBySub(sub: unknown) {
  return db
    .select()
    .from(users)
    .where(eq(users.googleSub, String(sub)))
    .get();
}

export function idOf(user: { id: string } | undefined): string {
  return user?.id ?? '';
}
