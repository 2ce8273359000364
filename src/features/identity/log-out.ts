import 'server-only';
import { eq } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { sessions } from '#db/schema/sessions.ts';
import { hashToken } from '#lib/tokens.ts';

/** Ends the session of this token, if any, and with it the address change that it requested. */
export async function logOut(ctx: Context, token: string): Promise<void> {
  const tokenHash = await hashToken(token);
  const { ended } = await ask(ctx, {
    ended: db
      .delete(sessions)
      .where(eq(sessions.tokenHash, tokenHash))
      .returning({ userId: sessions.userId }),
  });
  if (ended[0] !== undefined) {
    ctx.observe.log('logged_out', ended[0]);
  }
}
