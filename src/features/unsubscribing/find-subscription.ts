import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { ask, db } from '#db/query.ts';
import type { Locale } from '#db/values.ts';
import type { SubscriptionKind } from '#email/kinds.ts';
import { maskEmail } from '#lib/email-address.ts';
import { subscriptionIn } from './links.ts';

type Row = { email: string; language: Locale; isOn: 0 | 1; instructor: string };

/** What the page of a link shows. */
export type ShownSubscription = {
  kind: SubscriptionKind;
  /** Null if the person or the account is gone, so that nothing comes any more. */
  reader: (Omit<Row, 'isOn'> & { isOn: boolean }) | null;
};

/** What a link unsubscribes from, which this does not; null for a link that is not ours. */
export async function findSubscription(ctx: Context, link: unknown) {
  const subscription = await subscriptionIn(ctx, link);
  if (subscription === null) {
    return null;
  }
  const { kind, id } = subscription;
  const {
    rows: [row],
  } = await ask(ctx, { rows: rowsOf[kind]({ id }) });
  const reader =
    row === undefined ? null : { ...row, email: maskEmail(row.email), isOn: row.isOn === 1 };
  return { kind, reader };
}

const rowsOf = {
  invitation: ofPerson(sql`p.no_invitations_at`),
  reminder: ofPerson(sql`p.no_reminders_at`),
  news: prepared(({ id }: Given<'id'>) =>
    db.all<Row>(sql`SELECT u.email, u.language, u.roster_news AS isOn, '' AS instructor
      FROM users u WHERE u.id = ${id}`),
  ),
} satisfies Record<SubscriptionKind, unknown>;

/** @param off since when a person gets none */
function ofPerson(off: SQL) {
  return prepared(({ id }: Given<'id'>) =>
    db.all<Row>(sql`SELECT p.email, p.language, ${off} IS NULL AS isOn,
        u.first_name || ' ' || u.last_name AS instructor
      FROM people p JOIN users u ON u.id = p.owner_id
      WHERE p.id = ${id} AND p.erased_at IS NULL`),
  );
}
