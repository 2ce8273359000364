import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { insertMails } from '#features/outbox/queue-mails.ts';

/** Tells an owner what has become of their account at Stripe, if a condition about them holds. */
export function mailAboutAccount(
  ownerId: SQL | string,
  change: 'connected' | 'disconnected' | 'paused',
  now: number,
  where: SQL = sql`true`,
) {
  return insertMails({
    kind: 'payment_account',
    key: sql`'payment_account:' || u.id || ':' || ${change} || ':' || ${now}`,
    dueAt: now,
    ownerId: sql`u.id`,
    enrollmentId: null,
    cohortId: null,
    to: { address: sql`u.email`, canonical: sql`u.email_canonical` },
    payload: sql`json_object('name', u.first_name, 'language', u.language,
      'account', json_object('change', ${change}))`,
    from: sql`users u WHERE u.id = ${ownerId} AND ${where}`,
  });
}
