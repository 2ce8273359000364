import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { payableOf, restOfPriceAt } from '#db/prices.ts';
import { ask, db, query } from '#db/query.ts';
import type { CheckoutProblem, CheckoutStatus } from '#db/values.ts';
import { balanceOf, isOwed } from '#features/ledger/balances.ts';
import { insertReceipts } from '#features/ledger/email-receipt.ts';
import { insertEntries } from '#features/ledger/insert-entries.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { type Changed, ofOne, takenAt, withPlaces } from '#features/places/places.ts';
import { fromStripeAmount } from '#features/stripe/amounts.ts';
import type { Session } from '#features/stripe/payments.ts';
import { dayMs, minuteMs } from '#lib/time/calendar.ts';
import { dayAt } from '#lib/time/instants.ts';
import type { CheckoutRow } from './checkout-rows.ts';
import { mailToOwner, mailToPayer } from './payment-mails.ts';

/** How long an owner has to decide about a payment without a place, before it is refunded. */
const decisionMs = dayMs;
/** When the clock first asks Stripe about a page, after it has opened. */
export const firstCheckMs = 2 * minuteMs;

/**
 * Writes what Stripe says of the page of a checkout: the account, the place and the emails, in one
 * batch. The same again changes nothing.
 */
export async function applySession(
  ctx: Context,
  row: CheckoutRow,
  session: Session,
): Promise<CheckoutStatus> {
  if (session.status === 'complete') {
    if (session.payment_status === 'paid') {
      return applyPayment(ctx, row, session);
    }
    // A debit that takes days, or a voucher that is not paid yet.
    if (!hasFailed.has(session.payment_intent?.status ?? '')) {
      await ask(ctx, {
        confirming: db.run(sql`UPDATE checkouts
          SET status = 'confirming', check_at = ${ctx.now().getTime() + dayMs}
          WHERE id = ${row.id} AND status IN ('open', 'confirming')`),
      });
      return 'confirming';
    }
    await noteRefusal(ctx, row);
    return 'expired';
  }
  if (session.status === 'expired') {
    await endCheckout(ctx, row.id);
    return 'expired';
  }
  return 'open';
}

/** What Stripe says of a payment that will not come. */
const hasFailed = new Set(['requires_payment_method', 'canceled', '']);

/** Ends a checkout that a bank has refused, after its payer was promised an email. */
async function noteRefusal(ctx: Context, row: CheckoutRow): Promise<void> {
  const now = ctx.now().getTime();
  const mail = {
    minor: sql`o.amount_minor`,
    now,
    where: sql`o.id = ${row.id} AND o.status = 'confirming'`,
  };
  const { toPayer, toOwner } = await ask(ctx, {
    toPayer: mailToPayer({ ...mail, kind: 'payment_failed', key: sql`'bank_refused:' || o.id` }),
    toOwner: mailToOwner({
      ...mail,
      key: sql`'problem:' || o.id || ':bank_refused'`,
      reason: sql`'bank_refused'`,
    }),
    ended: endOpen(row.id),
  });
  sendSoon(ctx, [...toPayer, ...toOwner]);
}

function endOpen(id: string, where = sql`true`) {
  return db.run(sql`UPDATE checkouts SET status = 'expired', check_at = NULL
    WHERE id = ${id} AND status IN ('open', 'confirming') AND ${where}`);
}

/** Ends a checkout that was not paid, if a condition holds. A payment of it still counts. */
export async function endCheckout(ctx: Context, id: string, where?: SQL): Promise<void> {
  await ask(ctx, { ended: endOpen(id, where) });
}

/** Whether no one can have the address of a checkout's page: Stripe's answer to it was lost. */
export const isWithoutPage = sql`session_id IS NULL`;

/** What became of a payment, after its batch. */
type Applied = { problem: CheckoutProblem | null; isNew: 0 | 1 };

async function applyPayment(ctx: Context, row: CheckoutRow, session: Session) {
  const now = ctx.now().getTime();
  const currency = session.currency.toUpperCase();
  const paid = {
    minor: fromStripeAmount(session.amount_total, currency),
    currency,
    payment: session.payment_intent?.id ?? session.id,
    day: dayAt(ctx.now(), row.timeZone ?? 'UTC'),
  };
  const isOfNow = sql`o.id = ${row.id} AND o.status = 'paid' AND o.paid_at = ${now}`;
  const { placed, receipts, toPayer, toOwner, applied } = await ask(ctx, {
    placed: withPlaces(
      ctx,
      { now, cohortId: row.cohortId, ownerId: row.ownerId },
      query(
        {
          paid: markPaid(row, now, paid),
          enrolled: ofOne(query({ rows: enrollPayer(row, now, isOfNow) }, ({ rows }) => rows)),
          entry: insertPayment(now, paid, isOfNow),
          problem: markProblem(now, isOfNow),
        },
        ({ enrolled }) => enrolled,
      ),
    ),
    receipts: insertReceipts({
      key: sql`'receipt:' || l.id`,
      now,
      which: sql`l.source = 'stripe' AND l.outside_id = ${paid.payment}
        AND EXISTS (SELECT 1 FROM checkouts o WHERE ${isOfNow} AND o.problem IS NOT 'no_place')`,
    }),
    toPayer: mailToPayer({
      kind: 'paid_without_place',
      key: sql`o.problem || ':' || o.id`,
      minor: sql`o.paid_minor`,
      now,
      where: sql`${isOfNow} AND o.problem = 'no_place'`,
    }),
    toOwner: mailToOwner({
      key: sql`'problem:' || o.id || ':' || o.problem`,
      reason: sql`o.problem`,
      minor: sql`o.paid_minor`,
      now,
      where: sql`${isOfNow} AND o.problem IS NOT NULL`,
    }),
    applied: db.all<Applied>(sql`SELECT o.problem, o.paid_at = ${now} AS isNew
      FROM checkouts o WHERE o.id = ${row.id} AND o.status = 'paid'`),
  });
  sendSoon(ctx, [placed.mailIds, receipts, toPayer, toOwner].flat());
  const [result] = applied;
  if (result?.isNew === 1) {
    ctx.observe.log('payment_applied', { checkout: row.id, amount: paid.minor, currency });
    if (result.problem !== null) {
      ctx.observe.log('payment_problem', { checkout: row.id, problem: result.problem });
    }
  }
  return 'paid' as const;
}

type Paid = { minor: number; currency: string; payment: string; day: string };

function markPaid(row: CheckoutRow, now: number, { minor, currency, payment }: Paid) {
  return db.run(sql`UPDATE checkouts SET status = 'paid', paid_at = ${now}, paid_minor = ${minor},
      paid_currency = ${currency}, payment_intent = ${payment}, check_at = NULL
    WHERE id = ${row.id} AND owner_id = ${row.ownerId} AND status IN ('open', 'confirming', 'expired')`);
}

/**
 * Gives the payer the place that was held for them, or one that is free. An earlier page, for a debt,
 * is enough if it covers the price.
 */
function enrollPayer(row: CheckoutRow, now: number, isOfNow: SQL) {
  return db.all<Changed>(sql`UPDATE enrollments SET status = 'enrolled', queue_no = NULL,
      expires_at = NULL, completed_at = NULL, changed_by = 'person', status_changed_at = ${now},
      over_capacity = CASE status WHEN 'offered' THEN over_capacity ELSE 0 END
    WHERE id = ${row.enrollmentId} AND cohort_id = ${row.cohortId} AND owner_id = ${row.ownerId}
      AND EXISTS (SELECT 1 FROM checkouts o JOIN cohorts c ON c.id = o.cohort_id
        WHERE ${isOfNow} AND (o.price_minor IS NOT NULL OR (enrollments.status = 'offered'
          AND ${payableOf(sql`${restOfPriceAt(now, sql`enrollments.id`)} - o.paid_minor`)} = 0)))
      AND EXISTS (SELECT 1 FROM cohorts c WHERE c.id = enrollments.cohort_id
        AND c.deleted_at IS NULL AND c.archived_at IS NULL AND c.ends_at > ${now}
        AND (enrollments.status = 'offered' OR (enrollments.status IN ('expired', 'invited', 'waitlisted')
          AND (c.capacity IS NULL OR ${takenAt(now)} < c.capacity))))
    RETURNING id, status`);
}

/** Writes the payment to the account, once: in the cohort to which its person was moved meanwhile. */
function insertPayment(now: number, paid: Paid, isOfNow: SQL) {
  return insertEntries({
    from: sql`checkouts o LEFT JOIN enrollments e ON e.id = o.enrollment_id
      LEFT JOIN cohorts c ON c.id = coalesce(e.cohort_id, o.cohort_id)
      LEFT JOIN courses k ON k.id = c.course_id WHERE ${isOfNow}`,
    account: {
      owner_id: sql`o.owner_id`,
      course_id: sql`coalesce(c.course_id, o.course_id)`,
      course_name: sql`coalesce(k.name, o.course_name)`,
      cohort_id: sql`coalesce(c.id, o.cohort_id)`,
      cohort_name: sql`coalesce(c.name, o.cohort_name)`,
      person_id: sql`o.person_id`,
      enrollment_id: sql`o.enrollment_id`,
    },
    kind: 'payment',
    amount: sql`-o.paid_minor`,
    currency: sql`o.paid_currency`,
    money: { method: 'online', day: paid.day },
    source: 'stripe',
    outsideId: sql`o.payment_intent`,
    by: 'person',
    now,
  });
}

/** Notes why the owner has to look at a payment that is not what it was for. */
function markProblem(now: number, isOfNow: SQL) {
  return db.run(sql`UPDATE checkouts SET (problem, decide_by) = (SELECT
      CASE WHEN x.has_place = 0 THEN 'no_place' WHEN x.balance < 0 THEN 'overpaid' END,
      CASE WHEN x.has_place = 0 THEN ${now + decisionMs} END
    FROM (SELECT coalesce((SELECT CASE WHEN c.deleted_at IS NOT NULL THEN 0
          WHEN o.price_minor IS NULL THEN ${isOwed('e')} ELSE e.status = 'enrolled' END
          FROM enrollments e JOIN cohorts c ON c.id = e.cohort_id WHERE e.id = o.enrollment_id), 0)
        AS has_place,
      coalesce((SELECT ${balanceOf} FROM enrollments e WHERE e.id = o.enrollment_id), 0) AS balance
      FROM checkouts o WHERE o.id = checkouts.id) x)
    WHERE problem IS NULL AND id IN (SELECT o.id FROM checkouts o WHERE ${isOfNow})`);
}
