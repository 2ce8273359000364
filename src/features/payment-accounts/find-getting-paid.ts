import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import type { PaymentMode } from '#db/values.ts';
import { dayMs } from '#lib/time/calendar.ts';
import { accountRow, toPaymentAccount } from './find-account.ts';
import type { PaymentAccount } from './schema.ts';

/** More are not named on one page. */
const shownCohorts = 20;
const readCohorts = 200;

/** A cohort, or an open run by the name of its course, in which people pay online. */
type OnlineCohort = { id: string; name: string; timeZone: string; mode: PaymentMode };

/** A payment; `name` is null for who is erased. */
type Payment = { minor: number; currency: string; name: string | null; at: number };

/** What the page about the viewer's account at Stripe shows. */
export type GettingPaid = {
  account: PaymentAccount;
  cohorts: OnlineCohort[];
  /** What was paid last in one of these. */
  last: (Payment & { timeZone: string }) | null;
  /** How many people have an open page at Stripe. */
  paying: number;
};

/** The viewer's account at Stripe, with what it is used for. */
export function findGettingPaid(ctx: Context, ownerId: SQL) {
  const { config } = ctx;
  const now = ctx.now().getTime();
  return query(
    { row: accountRow(ctx, ownerId), rows: onlineCohorts({ ownerId, now, since: now - dayMs }) },
    ({ row, rows }): GettingPaid => {
      const payments = rows.flatMap(({ last, timeZone }) =>
        last === null ? [] : { ...(JSON.parse(last) as Payment), timeZone },
      );
      return {
        account: toPaymentAccount({ config }, row),
        // Few, so that the database need not sort them.
        cohorts: rows
          .toSorted((one, other) => other.startsOn.localeCompare(one.startsOn))
          .slice(0, shownCohorts),
        last: payments.sort((one, other) => other.at - one.at)[0] ?? null,
        paying: rows.reduce((sum, { paying }) => sum + paying, 0),
      };
    },
  );
}

// A page at Stripe lasts for less than a day.
const onlineCohorts = prepared(({ ownerId, now, since }: Given<'ownerId' | 'now' | 'since'>) => {
  const ofCohort = sql`checkouts o WHERE o.owner_id = c.owner_id AND o.cohort_id = c.id`;
  return db.all<
    OnlineCohort & { startsOn: string; last: string | null; paying: number }
  >(sql`SELECT c.id, c.name,
      c.time_zone AS timeZone, c.starts_on AS startsOn, c.payment_mode AS mode,
      (SELECT json_object('minor', o.paid_minor, 'currency', o.paid_currency, 'at', o.paid_at, 'name',
          (SELECT p.name FROM people p WHERE p.id = o.person_id AND p.erased_at IS NULL))
        FROM ${ofCohort} AND o.paid_at IS NOT NULL ORDER BY o.created_at DESC LIMIT 1) AS last,
      (SELECT count(*) FROM ${ofCohort} AND o.created_at > ${since} AND o.status = 'open') AS paying
    FROM cohorts c WHERE c.owner_id = ${ownerId} AND c.payment_mode <> 'own'
      AND c.deleted_at IS NULL AND c.archived_at IS NULL AND c.ends_at > ${now}
    LIMIT ${readCohorts}`);
});

const onlineOfCourse = prepared(({ ownerId, userId }: Given<'ownerId' | 'userId'>) =>
  db.all(sql`SELECT 1 FROM cohorts c WHERE c.owner_id = ${ownerId}
      AND c.course_id = (SELECT u.selected_course_id FROM users u WHERE u.id = ${userId})
      AND c.payment_mode <> 'own' AND c.deleted_at IS NULL LIMIT 1`),
);

/** The viewer's account at Stripe if people pay online in the selected course; null otherwise. */
export function findOnlineCourse(ctx: Context, ownerId: SQL, userId: SQL) {
  const { config } = ctx;
  return config.stripe === null
    ? query({}, () => null)
    : query(
        { row: accountRow(ctx, ownerId), online: onlineOfCourse({ ownerId, userId }) },
        ({ row, online }) => (online.length > 0 ? toPaymentAccount({ config }, row) : null),
      );
}
