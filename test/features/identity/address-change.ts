import { eq } from 'drizzle-orm';
import { courses } from '#db/schema/courses.ts';
import { links, sessions } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import type { Client } from '#support/client.ts';
import { type createUser, db } from '#support/factories.ts';

export const minute = 60 * 1000;

export const hour = 60 * minute;

export const linkRefused = {
  code: 'link_invalid',
  message: 'Authentication failed. Please try again',
};

/** As from a page that was loaded before, with its CSRF token. */
export async function patch(client: Client, id: string, input: Record<string, unknown>) {
  await client.get('/api/health/');
  return client.request('PATCH', `/api/accounts/${id}/`, input);
}

/** An account as the API shows it to its owner, made by `createUser`. */
export function accountOf(user: Awaited<ReturnType<typeof createUser>>, values: object = {}) {
  return {
    id: user.id,
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: user.email,
    avatar: null,
    bio: null,
    email_verified: true,
    language: 'en',
    roster_news: true,
    created_at: user.createdAt.toISOString(),
    ...values,
  };
}

export function everythingOf(id: string) {
  return db.batch([
    db.select().from(users).where(eq(users.id, id)),
    db.select().from(sessions).where(eq(sessions.userId, id)),
    db.select().from(links).where(eq(links.userId, id)),
    db.select().from(courses).where(eq(courses.ownerId, id)),
  ]);
}

export function ago(ms: number): Date {
  return new Date(Date.now() - ms);
}
