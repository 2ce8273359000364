import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import type { EnrollmentStatus, OutboxKind, SuppressionReason } from '#db/values.ts';
import { isRefusedMail, isThrottledMail, type Message } from '#email/send.ts';
import { balanceOf } from '#features/payments/accounts.ts';
import { type Budget, budgetFor, release } from './budget.ts';
import {
  askedKinds,
  batchKinds,
  bulkRoom,
  isAsked,
  isBulk,
  isPausedFor,
  isWithoutNote,
  leastOf,
  type OwnersWait,
  postpone,
} from './bulk.ts';
import { composeHeld } from './compose-held.ts';
import { isStillNeeded } from './is-still-needed.ts';
import { isLate } from './late.ts';

/** So few that even slow ones are sent and marked before the hold on them ends. */
const chunkRows = 10;
/** As many as the provider takes by one request. */
const batchRows = 100;
/** How long a worker may take for a chunk. If it dies, the next one sends the rest. */
const holdMs = 2 * 60 * 1000;
/** Cloudflare's free plan allows 50 requests a run, to D1 and Resend together: 40 emails. */
const requestsPerRun = 48;
/** Claims of the same moment are told apart by so much at most. */
const claimsMs = 1_000;
/** What is held longer is looked at once more before it is sent: much may have changed. */
const lookAgainMs = 1_000;
/** Each takes three of these requests. */
const batchesPerRun = 3;
const requestsPerBatch = 3;

const minuteMs = 60 * 1000;
const hourMs = 60 * minuteMs;
/** How long emails wait that are too many for the deployment. */
const budgetWaitMs = 5 * minuteMs;
/** After each try that failed but the last: six hours in all. */
const retryMs = [minuteMs, 10 * minuteMs, hourMs, 6 * hourMs - 71 * minuteMs];

/** An email that this worker holds, with what it is about as it is now. */
export type HeldMail = {
  id: string;
  kind: OutboxKind;
  /** Null once the account is deleted. */
  ownerId: string | null;
  to: string;
  toCanonical: string;
  payload: string;
  attempts: number;
  /** By which key it went to the provider with others, or will. */
  batchKey: string | null;
  /** Until when it is held. */
  heldUntil: number;
  /** Null if its enrollment is gone. */
  status: EnrollmentStatus | null;
  expiresAt: number | null;
  cohortId: string | null;
  startsOn: string | null;
  endsOn: string | null;
  timeZone: string | null;
  cohortDeletedAt: number | null;
  cohortArchivedAt: number | null;
  suppressed: SuppressionReason | null;
  /** Whether its reader has marked an email of this owner as spam. */
  isUnwelcome: 0 | 1;
  /** How many more the address may get now; null for what never waits. */
  addressRoom: number | null;
  /** How many more of this sort the owner may send now; null for what never waits. */
  bulkRoom: number | null;
  /** Whether it is of this sort. */
  isBulk: 0 | 1;
  /** Whether someone has just asked for it. */
  isAsked: 0 | 1;
  /** Whether the owner sends none of this sort, because people have marked them as spam. */
  isPaused: 0 | 1;
  /** Whether it goes out without the note of the owner, for the same reason. */
  isWithoutNote: 0 | 1;
  /** Whether the cohort reminds people of their invitations; null without one. */
  remindsInvited: 0 | 1 | null;
  remindsStart: 0 | 1 | null;
  remindsDayBefore: 0 | 1 | null;
  remindsHourBefore: 0 | 1 | null;
  /** Whether the person has asked for no reminders and messages; null without one. */
  isUnsubscribed: 0 | 1 | null;
  /** Of the live session of a reminder: null if it is gone or was canceled. */
  meetingStartsLocal: string | null;
  /** What is owed now, of a reminder; null for all others. */
  owed: number | null;
  /** Whether the owner wants the daily news; null without an account. */
  wantsNews: 0 | 1 | null;
};

/** Why an email is not sent, ever. */
type Failure = 'not_needed' | 'late' | 'suppressed' | 'unwelcome' | 'refused' | 'not_accepted';

type Outcome =
  | { kind: 'sent'; providerId: string | null }
  | { kind: 'failed'; failure: Failure }
  /**
   * Held back by a limit, or not accepted: which is a try, if it was tried. What is held back for
   * its owner holds back what else they have due.
   */
  | {
      kind: 'later';
      waitMs: number;
      isTry: boolean;
      isHeldBack?: true;
      forOwner?: 'limit' | 'pause';
    };

type Counts = { sent: number; dropped: number; later: number };

/**
 * Sends what is due: the given emails after the request that wrote them, or all by the clock. What
 * another worker holds is left to it. Failures are kept, and tried again.
 */
export async function drainOutbox(ctx: Context, ids: readonly string[] | null): Promise<void> {
  const counts: Counts = { sent: 0, dropped: 0, later: 0 };
  const batches = ids === null ? await drainBatches(ctx, counts) : { count: 0, isDone: true };
  let isDone = ids?.length === 0;
  // A chunk takes two requests to D1 and one for each email.
  let left = requestsPerRun - batches.count * requestsPerBatch;
  while (!isDone && left >= chunkRows + 2) {
    const { held, budget } = await hold(ctx, ids);
    const delivered: Delivered[] = [];
    const taken = nothingTaken(budget);
    let isStopped = false;
    let seen = byId(held);
    let lookedAt = ctx.now().getTime();
    left -= held.length + 2;
    for (const mail of held) {
      if (left > 0 && !isStopped && ctx.now().getTime() - lookedAt >= lookAgainMs) {
        seen = byId(await lookAgain(ctx, held));
        lookedAt = ctx.now().getTime();
        left -= 1;
      }
      const now = seen.get(mail.id);
      const outcome: Outcome =
        isStopped || now === undefined ? notNow : await deliver(ctx, now, taken);
      // The provider takes none for now, so the rest is spared.
      isStopped ||= outcome.kind === 'later' && !outcome.isHeldBack;
      delivered.push({ mail, outcome });
    }
    await mark(ctx, delivered, budget, counts);
    isDone = isStopped || held.length < chunkRows;
  }
  if (ids === null || counts.later > 0) {
    ctx.observe.log('outbox_drained', { ...counts, is_done: isDone && batches.isDone });
  }
}

/** Sends what a request has written, after its answer. */
export function sendSoon(ctx: Context, mails: readonly { id: string }[]): void {
  ctx.waitUntil(
    drainOutbox(
      ctx,
      mails.map(({ id }) => id),
    ),
  );
}

/** Sends emails of which one cause has written many, a hundred by one request. */
async function drainBatches(ctx: Context, counts: Counts) {
  let [count, isDone] = [0, false];
  while (!isDone && count < batchesPerRun) {
    const { held, budget } = await hold(ctx, 'batch');
    const delivered = await deliverBatch(ctx, held, budget);
    // Also without any: those of another worker may have been counted.
    await mark(ctx, delivered, budget, counts);
    count += held.length > 0 ? 1 : 0;
    // As above. What another worker has left is a batch of its own, so a small one need not be the
    // last.
    isDone =
      held.length === 0 ||
      delivered.some(({ outcome }) => outcome.kind === 'later' && outcome.isHeldBack !== true);
  }
  return { count, isDone };
}

const notNow: Outcome = { kind: 'later', waitMs: minuteMs, isTry: false };

function byId(mails: readonly HeldMail[]): ReadonlyMap<string, HeldMail> {
  return new Map(mails.map((mail) => [mail.id, mail]));
}

/**
 * Takes what is due, by pushing its time ahead, and looks at what it is about.
 *
 * @param what the emails of a request, any of the clock (null), or one batch for the provider: what
 *   a worker has left that died, with the same key, or a new one
 */
async function hold(
  ctx: Context,
  what: readonly string[] | null | 'batch',
): Promise<{ held: HeldMail[]; budget: Budget }> {
  const now = ctx.now().getTime();
  const heldUntil = now + holdMs;
  // Each claim has a time of its own, by which workers tell what the others hold.
  const lastClaim = sql`(SELECT max(h.due_at) FROM mails_due h
    WHERE h.sent_at IS NULL AND h.failed_at IS NULL AND h.attempts > 0
      AND h.due_at >= ${heldUntil} AND h.due_at < ${heldUntil + claimsMs})`;
  const isDue = (of: string) => {
    const d = sql.raw(of);
    return sql`${d}.sent_at IS NULL AND ${d}.failed_at IS NULL AND ${d}.due_at <= ${now}`;
  };
  // A request has few, in any order; the clock begins with what has waited longest.
  const which: SQL =
    what === 'batch'
      ? sql`AND d.kind IN ${batchKinds} AND d.batch_key IS (SELECT f.batch_key FROM mails_due f
          WHERE ${isDue('f')} AND f.kind IN ${batchKinds} ORDER BY f.due_at LIMIT 1)
          ORDER BY d.due_at LIMIT ${batchRows}`
      : what === null
        ? sql`AND d.kind NOT IN ${batchKinds} ORDER BY d.due_at LIMIT ${chunkRows}`
        : sql`AND d.id IN (SELECT value FROM json_each(${JSON.stringify(what)}))
          LIMIT ${chunkRows}`;
  const batchKey = what === 'batch' ? crypto.randomUUID() : null;
  const isHeld = sql`m.due_at = ${lastClaim} AND m.sent_at IS NULL AND m.failed_at IS NULL
    AND m.attempts > 0`;
  const { held, facts, budget } = await ask(ctx, {
    held: db.all<{ id: string }>(sql`UPDATE mails_due
      SET due_at = wanted.value, attempts = attempts + 1,
        batch_key = coalesce(batch_key, ${batchKey})
      FROM json_each(json_array(coalesce(${lastClaim} + 1, ${heldUntil}))) AS wanted
      WHERE mails_due.id IN (SELECT d.id FROM mails_due d WHERE ${isDue('d')} ${which})
      RETURNING mails_due.id`),
    facts: factsOf(ctx, now, isHeld),
    budget: await budgetFor(ctx, isHeld),
  });
  // Without any of its own, it has seen those of another worker.
  const ours = new Set(held.map(({ id }) => id));
  return { held: facts.filter(({ id }) => ours.has(id)), budget };
}

/** What emails `m` are about, as it is now, and how much room they have. */
function factsOf(ctx: Context, now: number, which: SQL) {
  return db.all<HeldMail>(sql`SELECT m.id, m.kind, m.to_address AS "to", m.payload, m.attempts,
        m.to_canonical AS toCanonical, m.due_at AS heldUntil, m.batch_key AS batchKey,
        e.status, e.expires_at AS expiresAt, c.id AS cohortId, c.starts_on AS startsOn,
        c.ends_on AS endsOn, c.time_zone AS timeZone, c.deleted_at AS cohortDeletedAt,
        c.archived_at AS cohortArchivedAt, s.reason AS suppressed,
        EXISTS (SELECT 1 FROM mails_due x WHERE x.to_canonical = m.to_canonical
          AND x.owner_id = m.owner_id AND x.complained_at IS NOT NULL) AS isUnwelcome,
        ${addressRoom(ctx, now)} AS addressRoom, ${bulkRoom(ctx, now)} AS bulkRoom,
        ${isBulk} AS isBulk, ${isAsked} AS isAsked,
        ${isPausedFor(sql`m.owner_id`, sql`m.kind`)} AS isPaused, m.owner_id AS ownerId,
        ${isWithoutNote(sql`m.owner_id`, sql`m.kind`)} AS isWithoutNote,
        c.reminds_invited AS remindsInvited, c.reminds_start AS remindsStart,
        c.reminds_day_before AS remindsDayBefore, c.reminds_hour_before AS remindsHourBefore,
        p.no_reminders_at IS NOT NULL AS isUnsubscribed, g.starts_local AS meetingStartsLocal,
        u.roster_news AS wantsNews,
        CASE m.kind WHEN 'payment_reminder' THEN ${balanceOf} END AS owed
      FROM mails_due m
      LEFT JOIN users u ON u.id = m.owner_id
      LEFT JOIN enrollments e ON e.id = m.enrollment_id
      LEFT JOIN cohorts c ON c.id = coalesce(e.cohort_id,
        CASE m.kind WHEN 'enrollment_open' THEN m.cohort_id END)
      LEFT JOIN people p ON p.id = e.person_id
      LEFT JOIN meetings g ON g.id = CASE m.kind
          WHEN 'meeting_reminder' THEN m.payload ->> '$.meeting.id' END
        AND g.cancelled_at IS NULL
      LEFT JOIN undeliverable_addresses s ON s.email_canonical = m.to_canonical
      WHERE ${which}`);
}

/**
 * The same emails as they are by now, with the room that they have. Without those that are no
 * longer held by this worker: they may be erased.
 */
async function lookAgain(ctx: Context, held: readonly HeldMail[]): Promise<HeldMail[]> {
  const ids = JSON.stringify(held.map(({ id }) => id));
  const areThere = sql`m.id IN (SELECT value FROM json_each(${ids}))
    AND m.due_at = ${held[0]?.heldUntil ?? 0} AND m.sent_at IS NULL AND m.failed_at IS NULL`;
  const { rows } = await ask(ctx, { rows: factsOf(ctx, ctx.now().getTime(), areThere) });
  return rows;
}

/**
 * How many more an address may get, beside what other workers hold for it. An offer waits for
 * twice as many, because it could expire unread. What someone has asked for does not wait for what
 * they have not, so that no owner can lock them out elsewhere.
 */
function addressRoom(ctx: Context, now: number): SQL {
  const isUrgent = sql`(m.kind IN ('offer', 'offer_expiring', 'data_link'))`;
  const counts = sql`(NOT ${isAsked} OR y.kind IN ${askedKinds})`;
  const held = sql`(SELECT count(*) FROM mails_due y WHERE y.to_canonical = m.to_canonical
    AND y.sent_at IS NULL AND y.failed_at IS NULL AND y.attempts > 0 AND y.due_at > ${now}
    AND y.due_at < ${now + holdMs + claimsMs} AND y.due_at <> m.due_at AND ${counts})`;
  const rooms = ctx.config.limits.cohort_mails_per_address.map(
    ({ count, seconds }) => sql`${count} * (1 + ${isUrgent}) - (SELECT count(*) FROM mails_due y
      WHERE y.to_canonical = m.to_canonical AND y.sent_at > ${now - seconds * 1000}
      AND ${counts}) - ${held}`,
  );
  return leastOf(rooms);
}

/** What a batch sends by itself, which the counts of its emails do not include yet. */
type Taken = {
  byAddress: Map<string, number>;
  byOwner: Map<string | null, number>;
  /** How many emails may still go out at all. */
  left: { all: number; unasked: number };
};

function nothingTaken({ left: { all, unasked } }: Budget): Taken {
  const left = { all: all ?? Infinity, unasked: unasked ?? Infinity };
  return { byAddress: new Map(), byOwner: new Map(), left };
}

/** Takes the room of an email, or says how it waits for some. */
function takeRoom(mail: HeldMail, { byAddress, byOwner, left }: Taken): Outcome | null {
  const later = { kind: 'later', isTry: false, isHeldBack: true } as const;
  const toAddress = byAddress.get(mail.toCanonical) ?? 0;
  const ofOwner = byOwner.get(mail.ownerId) ?? 0;
  if (toAddress >= (mail.addressRoom ?? Infinity)) {
    return { ...later, waitMs: hourMs };
  }
  if (ofOwner >= (mail.bulkRoom ?? Infinity)) {
    return { ...later, waitMs: hourMs, forOwner: 'limit' };
  }
  if (left.all <= 0 || (mail.isAsked === 0 && left.unasked <= 0)) {
    return { ...later, waitMs: budgetWaitMs };
  }
  byAddress.set(mail.toCanonical, toAddress + 1);
  byOwner.set(mail.ownerId, ofOwner + mail.isBulk);
  left.all -= 1;
  left.unasked -= 1 - mail.isAsked;
  return null;
}

/** What becomes of an email without asking the provider; null if it is to be sent. */
function refusalOf(mail: HeldMail, now: Date, taken: Taken): Outcome | null {
  const failed = (failure: Failure): Outcome => ({ kind: 'failed', failure });
  if (!isStillNeeded(mail, now)) {
    return failed('not_needed');
  }
  if (isLate(mail, now)) {
    return failed('late');
  }
  if (mail.suppressed !== null) {
    return failed('suppressed');
  }
  if (mail.isUnwelcome === 1) {
    return failed('unwelcome');
  }
  if (mail.isPaused === 1) {
    const waitMs = 24 * hourMs;
    return { kind: 'later', waitMs, isTry: false, isHeldBack: true, forOwner: 'pause' };
  }
  return takeRoom(mail, taken);
}

async function deliver(ctx: Context, mail: HeldMail, taken: Taken): Promise<Outcome> {
  const refusal = refusalOf(mail, ctx.now(), taken);
  if (refusal !== null) {
    return refusal;
  }
  try {
    const message = await composeHeld(ctx, mail);
    return { kind: 'sent', providerId: await ctx.sendMail(message, mail.id, markOf(mail)) };
  } catch (error) {
    return afterFailure(ctx, error, mail.attempts);
  }
}

/**
 * Sends emails by one request. What was tried keeps its key for the next try, which the provider
 * then knows; by then, some of it may be no longer needed.
 */
async function deliverBatch(
  ctx: Context,
  held: readonly HeldMail[],
  budget: Budget,
): Promise<Delivered[]> {
  const taken = nothingTaken(budget);
  const judged = held.map((mail) => ({ mail, refusal: refusalOf(mail, ctx.now(), taken) }));
  const wanted = judged.flatMap(({ mail, refusal }) => (refusal === null ? [mail] : []));
  const outcomes = await outcomesOf(ctx, wanted);
  return judged.map(({ mail, refusal }) => ({
    mail,
    outcome: refusal ?? outcomes.get(mail.id) ?? notNow,
  }));
}

async function outcomesOf(
  ctx: Context,
  mails: readonly HeldMail[],
): Promise<ReadonlyMap<string, Outcome>> {
  const [first] = mails;
  if (first === undefined) {
    return new Map();
  }
  try {
    const messages: { message: Message; mark: ReturnType<typeof markOf> }[] = [];
    for (const mail of mails) {
      messages.push({ message: await composeHeld(ctx, mail), mark: markOf(mail) });
    }
    const answers = await ctx.sendBatch(messages, first.batchKey ?? first.id);
    return new Map(
      answers.map((answer, index) => [
        mails[index]?.id ?? '',
        answer.kind === 'sent' ? answer : { kind: 'failed', failure: 'refused' },
      ]),
    );
  } catch (error) {
    // One outcome for all, so that they stay together.
    const attempts = Math.max(...mails.map((mail) => mail.attempts));
    const outcome = afterFailure(ctx, error, attempts, mails.length);
    return new Map(mails.map(({ id }) => [id, outcome]));
  }
}

function markOf({ toCanonical, suppressed }: HeldMail) {
  return { emailCanonical: toCanonical, reason: suppressed };
}

/** What becomes of what the provider has not accepted: a refusal says nothing of one of many. */
function afterFailure(ctx: Context, error: unknown, attempts: number, count = 1): Outcome {
  if (isThrottledMail(error)) {
    return notNow;
  }
  ctx.observe.fail(error);
  const waitMs = retryMs[attempts - 1];
  const isRefusal = count === 1 && isRefusedMail(error);
  if (isRefusal || waitMs === undefined) {
    return { kind: 'failed', failure: isRefusal ? 'refused' : 'not_accepted' };
  }
  return { kind: 'later', waitMs, isTry: true };
}

type Delivered = { mail: HeldMail; outcome: Outcome };

/** Writes what became of the emails, and gives back the rest of what was counted for them. */
async function mark(
  ctx: Context,
  outcomes: readonly Delivered[],
  budget: Budget,
  counts: Counts,
): Promise<void> {
  if (outcomes.length === 0 && budget.all.times === 0) {
    return;
  }
  const now = ctx.now().getTime();
  const rows = outcomes.map(({ mail, outcome }) => ({
    id: mail.id,
    held: mail.heldUntil,
    sent: outcome.kind === 'sent' ? now : null,
    failed: outcome.kind === 'failed' ? now : null,
    failure: outcome.kind === 'failed' ? outcome.failure : null,
    provider: outcome.kind === 'sent' ? outcome.providerId : null,
    due: outcome.kind === 'later' ? now + outcome.waitMs : now,
    // What was not tried may go with others the next time.
    batch: outcome.kind === 'later' && outcome.isHeldBack ? null : mail.batchKey,
    attempts: mail.attempts - (outcome.kind === 'later' && !outcome.isTry ? 1 : 0),
  }));
  for (const { mail, outcome } of outcomes) {
    counts[outcome.kind === 'failed' ? 'dropped' : outcome.kind] += 1;
    if (outcome.kind === 'failed' && outcome.failure !== 'not_needed') {
      ctx.observe.log('outbox_failed', { kind: mail.kind, failure: outcome.failure });
    }
  }
  const waits = waitsOf(outcomes, now);
  await ask(ctx, {
    marked: db.run(sql`UPDATE mails_due SET
        sent_at = wanted.value ->> 'sent', failed_at = wanted.value ->> 'failed',
        failure = wanted.value ->> 'failure', provider_id = wanted.value ->> 'provider',
        due_at = wanted.value ->> 'due', attempts = wanted.value ->> 'attempts',
        batch_key = wanted.value ->> 'batch'
      FROM json_each(${JSON.stringify(rows)}) AS wanted
      WHERE mails_due.id = wanted.value ->> 'id' AND mails_due.sent_at IS NULL
        AND (wanted.value ->> 'sent' IS NOT NULL OR mails_due.due_at = wanted.value ->> 'held')`),
    postponed: waits.length === 0 ? undefined : db.run(postpone(now, waits)),
    ...release(budget, sentOf(outcomes)),
  });
}

/** How long the owners wait whose emails were held back, each for the same reason once. */
function waitsOf(outcomes: readonly Delivered[], now: number): OwnersWait[] {
  const waits = new Map<string, OwnersWait>();
  for (const { mail, outcome } of outcomes) {
    if (outcome.kind === 'later' && outcome.forOwner !== undefined && mail.ownerId !== null) {
      const isPause = outcome.forOwner === 'pause';
      const until = now + outcome.waitMs;
      waits.set(`${mail.ownerId} ${isPause}`, { ownerId: mail.ownerId, until, isPause });
    }
  }
  return [...waits.values()];
}

function sentOf(outcomes: readonly Delivered[]): { all: number; unasked: number } {
  const sent = outcomes.filter(({ outcome }) => outcome.kind === 'sent');
  return { all: sent.length, unasked: sent.filter(({ mail }) => mail.isAsked === 0).length };
}
