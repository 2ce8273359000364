import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { priceAt, usableAccount } from '#db/prices.ts';
import { ask, db } from '#db/query.ts';
import type { EnrollmentStatus, Locale } from '#db/values.ts';
import { usedCurrency } from '#features/ledger/balances.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { payableWords } from '#features/payment-accounts/require-payable.ts';
import { type Bearer, graceMs, isStillValid } from '#features/places/places.ts';
import { toStripeAmount } from '#features/stripe/amounts.ts';
import { StripeRefusal } from '#features/stripe/open-stripe.ts';
import { createSession, getSession, type Session } from '#features/stripe/payments.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { isPayable } from '#lib/payable-amounts.ts';
import { sealLink } from '#lib/signed-links.ts';
import { hourMs, minuteMs } from '#lib/time/calendar.ts';
import { serverPaths } from '#paths.ts';
import { applySession, endCheckout, firstCheckMs, isWithoutPage } from './apply-session.ts';
import { type CheckoutRow, checkoutRows } from './checkout-rows.ts';
import { closePage } from './look-up.ts';
import { dueAt, payableAt } from './payable.ts';
import type { OpenedCheckout } from './schema.ts';

/** Stripe keeps a page for no less, by its own clock. */
const shortestMs = 30 * minuteMs + 30_000;
/** Nor for more than a day. */
const longestMs = 23 * hourMs;
/** How long a hold is stretched for who goes to pay late; and for how long in all, after it began. */
const stretchMs = shortestMs + graceMs + 30_000;
const longestHoldMs = 2 * hourMs;
/** Within this time, another tab may be making the same page. */
const otherTabMs = 20_000;

/** Who pays: the person of a link. */
type Payer = Bearer & { email: string; language: Locale; instructor: { name: string } };

/**
 * Opens a page at Stripe on which a person pays for a place that is held for them, or what they owe.
 * The same again, from another tab too, is the same page, as long as it is about the same amount.
 *
 * @throws AppError `not_found` for an enrollment of someone else; `nothing_owed`, `offer_expired`,
 *   `amount_not_payable`, `payment_confirming`, `payment_off`, `payment_unavailable`, `rate_limited`
 */
export async function openCheckout(
  ctx: Context,
  payer: Payer,
  enrollmentId: string,
): Promise<OpenedCheckout> {
  // An old page may be found to be over, or to ask for another amount: then once more.
  const opened =
    (await tryToOpen(ctx, payer, enrollmentId)) ?? (await tryToOpen(ctx, payer, enrollmentId));
  if (opened === null) {
    throw new AppError('payment_unavailable');
  }
  return opened;
}

async function tryToOpen(ctx: Context, payer: Payer, enrollmentId: string) {
  const { row, isNew, amountNow } = await reserve(ctx, payer, enrollmentId);
  if (row.status === 'confirming') {
    throw new AppError('payment_confirming');
  }
  if (row.isWanted === 0 || (row.priceMinor === null && row.amountMinor !== amountNow)) {
    await closePage(ctx, row);
    return null;
  }
  const session = await pageOf(ctx, payer, row).catch(async (error: unknown) => {
    if (!(error instanceof StripeRefusal)) {
      if (row.createdAt < ctx.now().getTime() - otherTabMs) {
        // Stripe may repeat an error to the same key for ever.
        await endCheckout(ctx, row.id, isWithoutPage);
      }
      throw error;
    }
    // Stripe made no page; the next attempt starts a new checkout.
    await endCheckout(ctx, row.id);
    ctx.observe.log('payment_refused', { checkout: row.id, reason: error.reason });
    if (isNew) {
      throw error.reason.startsWith('amount_')
        ? notPayable(ctx, payer, row.currency)
        : new AppError('payment_off', {
            cause: error,
            values: { instructor: payer.instructor.name },
          });
    }
    return null;
  });
  if (session === null) {
    return null;
  }
  if (session.status !== 'open' || session.url === null) {
    await applySession(ctx, row, session);
    return null;
  }
  return {
    checkout_id: row.id,
    url: session.url,
    expires_at: new Date(row.expiresAt).toISOString(),
  };
}

type Facts = {
  status: EnrollmentStatus;
  /** What is open, also if it can't be paid online. */
  due: number;
  payable: number;
  currency: string;
  account: string | null;
  isPriced: 0 | 1;
};

/** Writes that the person goes to pay, unless they do already, in one batch with its checks. */
async function reserve(ctx: Context, payer: Payer, enrollmentId: string) {
  const now = ctx.now().getTime();
  const id = crypto.randomUUID();
  const account = usableAccount(ctx);
  const isTheirs = sql`e.id = ${enrollmentId} AND e.person_id = ${payer.id}`;
  const isOpen = sql`o.status IN ('open', 'confirming')`;
  const uses = [
    { limit: 'checkouts_per_person', subject: payer.id },
    { limit: 'checkouts_per_ip' },
  ] as const;
  const limit = await limitOn(ctx, [...uses], 'allow');
  const { rows, facts, usage } = await ask(ctx, {
    // The clock asks what goes back from the operator's own account, too.
    listed: db.run(sql`INSERT INTO payment_accounts (owner_id, connected_at, checked_at)
      SELECT c.owner_id, ${now}, ${now} FROM enrollments e JOIN cohorts c ON c.id = e.cohort_id
      WHERE ${isTheirs} AND ${account} = '' ON CONFLICT DO NOTHING`),
    stretched: db.run(sql`UPDATE enrollments SET expires_at = max(expires_at, ${now + stretchMs})
      WHERE id = ${enrollmentId} AND person_id = ${payer.id} AND status = 'offered'
        AND expires_at > ${now} AND ${isStillValid(payer)} AND ${limit.hasRoom}
        AND EXISTS (SELECT 1 FROM enrollments e JOIN cohorts c ON c.id = e.cohort_id
          WHERE ${isTheirs} AND ${payableAt(now)} > 0 AND ${account} IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM checkouts o
          WHERE o.enrollment_id = enrollments.id AND ${isOpen})
        AND (${now + stretchMs} <= max(expires_at, status_changed_at + ${longestHoldMs})
          OR (changed_by <> 'person' AND NOT EXISTS (SELECT 1 FROM checkouts o
            WHERE o.enrollment_id = enrollments.id AND o.created_at >= enrollments.status_changed_at)))`),
    made: db.run(sql`INSERT INTO checkouts (id, owner_id, course_id, course_name, cohort_id,
        cohort_name, enrollment_id, person_id, stripe_account, price_minor, amount_minor, currency,
        status, check_at, expires_at, created_at)
      SELECT ${id}, e.owner_id, c.course_id, k.name, c.id, c.name, e.id, e.person_id,
        nullif(${account}, ''), CASE e.status WHEN 'offered' THEN ${priceAt(now)} END,
        ${payableAt(now)}, coalesce(${usedCurrency(sql`c.id`)}, c.currency),
        'open', ${now + firstCheckMs},
        CASE e.status WHEN 'offered' THEN min(e.expires_at - ${graceMs}, ${now + longestMs})
          ELSE ${now + longestMs} END, ${now}
      FROM enrollments e JOIN cohorts c ON c.id = e.cohort_id JOIN courses k ON k.id = c.course_id
      WHERE ${isTheirs} AND ${isStillValid(payer)} AND ${payableAt(now)} > 0
        AND ${account} IS NOT NULL AND ${limit.hasRoom}
        AND (e.status <> 'offered' OR e.expires_at - ${graceMs} >= ${now + shortestMs})
      ON CONFLICT DO NOTHING`),
    rows: checkoutRows(
      ctx,
      sql`o.enrollment_id = ${enrollmentId} AND o.person_id = ${payer.id}
      AND ${isOpen}`,
    ),
    facts: db.all<Facts>(sql`SELECT e.status, ${dueAt(now)} AS due, ${payableAt(now)} AS payable,
        c.currency, ${account} AS account,
        c.payment_mode <> 'own' AND c.deleted_at IS NULL AS isPriced
      FROM enrollments e JOIN cohorts c ON c.id = e.cohort_id WHERE ${isTheirs}`),
    usage: limit.count(sql`EXISTS (SELECT 1 FROM checkouts o WHERE o.id = ${id})`),
  });
  const place = requireFound(facts[0]);
  const [row] = rows;
  if (row !== undefined) {
    const isNew = row.id === id;
    if (isNew) {
      ctx.observe.log('checkout_opened', { checkout: id, amount: row.amountMinor });
    }
    return { row, isNew, amountNow: place.payable };
  }
  refuseFull(ctx, usage.full);
  throw refusalFor(ctx, payer, place);
}

/** Why a person cannot pay now. */
function refusalFor(
  ctx: Context,
  payer: Payer,
  { status, due, payable, currency, account, isPriced }: Facts,
): AppError {
  if (isPriced === 0 || (payable > 0 && account === null)) {
    return new AppError('payment_off', { values: { instructor: payer.instructor.name } });
  }
  if (due > 0 && payable === 0) {
    return notPayable(ctx, payer, currency);
  }
  // What is held may be too short for Stripe by now.
  const isOver = status === 'expired' || status === 'offered';
  return new AppError(isOver ? 'offer_expired' : 'nothing_owed');
}

function notPayable(ctx: Context, { instructor }: Payer, currency: string): AppError {
  const values = { ...payableWords(ctx, currency), instructor: instructor.name };
  return new AppError('amount_not_payable', { values });
}

/** The page of a checkout: as Stripe has it, or made now. */
async function pageOf(ctx: Context, payer: Payer, row: CheckoutRow): Promise<Session> {
  if (row.sessionId !== null) {
    return getSession(ctx, row.stripeAccount, row.sessionId);
  }
  if (!isPayable(row.amountMinor, row.currency)) {
    throw new StripeRefusal('amount_not_possible');
  }
  const page = {
    ...row,
    amount: toStripeAmount(row.amountMinor, row.currency),
    email: payer.email,
    locale: payer.language,
    returnUrl: serverPaths.paid(ctx.config.appOrigin, await sealLink(ctx, 'checkout', row)),
    expiresAt: new Date(row.expiresAt),
    isHeld: row.priceMinor !== null,
  };
  const session = await createSession(ctx, row.stripeAccount, page).catch((error: unknown) => {
    if (error instanceof StripeRefusal && error.reason === 'email_invalid') {
      // Stripe takes fewer addresses than mailboxes have; it asks for one then.
      return createSession(ctx, row.stripeAccount, { ...page, email: null });
    }
    throw error;
  });
  const { known } = await ask(ctx, {
    known: db.all(sql`UPDATE checkouts SET session_id = ${session.id}
      WHERE id = ${row.id} AND status = 'open' RETURNING id`),
  });
  if (known.length === 0) {
    throw new AppError('payment_unavailable');
  }
  return session;
}
