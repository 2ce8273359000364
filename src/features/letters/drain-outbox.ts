import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { hasAgreed } from '#db/people.ts';
import { ask, db } from '#db/query.ts';
import type { OutboxKind, SuppressionReason } from '#db/values.ts';
import { isRefusedMail, isThrottledMail, type Message } from '#email/send.ts';
import { insertAdded } from '#features/outbox/queue-mails.ts';
import { requestsLeft } from '#lib/requests-left.ts';
import { type Budget, budgetFor, release } from './budget.ts';
import {
  bulkRoom,
  cannotBeTold,
  countsForOwner,
  followsTelling,
  isAsked,
  isBulk,
  isPausedFor,
  isToStranger,
  isWaiting,
  isWithoutNote,
  leastOf,
  mayHaveWords,
  type OwnersWait,
  postpone,
  rankOf,
  strangerRoom,
  toldAt,
  urgencyOf,
  type WhichWait,
} from './bulk.ts';
import { composeHeld } from './compose-held.ts';
import { isLate, isStillNeeded, mailsWithFacts } from './is-still-needed.ts';

/** So few that even slow ones are sent and marked before the hold on them ends. */
const chunkRows = 10;
/** As many as the provider takes by one request. */
const batchRows = 100;
/** How long a worker may take for a chunk. If it dies, the next one sends the rest. */
const holdMs = 2 * 60 * 1000;
/** Claims of the same moment are told apart by so much at most. */
const claimsMs = 1_000;
/** What is held longer is looked at once more before it is sent: much may have changed. */
const lookAgainMs = 1_000;
/** To hold a batch, to send it and to mark it; and when the provider is asked twice more. */
const requestsPerBatch = 3;
const mostRequestsPerBatch = 5;
/** As many batches as a request sends after its answer; the clock sends the rest. */
const batchesOfRequest = 3;
/** How many answers of one owner go before the emails of others; the rest takes turns. */
const firstTurns = 100;

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
  /** What it says as many others do; null if all is in the payload. */
  facts: string | null;
  attempts: number;
  /** By which key it went to the provider, or will: its own id if it goes alone. */
  batchKey: string | null;
  /** Until when it is held. */
  heldUntil: number;
  isNeeded: 0 | 1;
  isLate: 0 | 1;
  suppressed: SuppressionReason | null;
  /** Whether its reader has marked an email of this owner as spam. */
  isUnwelcome: 0 | 1;
  /** Who caused it, see `rankOf`. */
  rank: 0 | 1 | 2;
  /** How many more the address may get now, of all and of this owner; null for any number. */
  addressRoom: number | null;
  ownerRoom: number | null;
  /** How many more of this sort the owner may send now, of all and to strangers; null likewise. */
  bulkRoom: number | null;
  strangerRoom: number | null;
  /** Whether it is of this sort, and whether it then waits or goes out without words. */
  isBulk: 0 | 1;
  isToStranger: 0 | 1;
  isWaiting: 0 | 1;
  /** Whether someone has asked for it. */
  isAsked: 0 | 1;
  /** Whether the owner sends none of this sort, because people have marked them as spam. */
  isPaused: 0 | 1;
  /** Whether it goes out without the note of the owner, for the same reason. */
  isWithoutNote: 0 | 1;
  /** Whether its reader may get words of the owner, and be asked for money. */
  mayHaveWords: 0 | 1;
  hasAgreed: 0 | 1;
  /** When its reader is told that they are on a list, if it waits for that; or whether never. */
  toldAt: number | null;
  cannotBeTold: 0 | 1;
};

/** Why an email is not sent, ever. */
type Failure =
  | 'not_needed'
  | 'late'
  | 'suppressed'
  | 'unwelcome'
  | 'refused'
  | 'not_accepted'
  | 'not_composed'
  | 'not_told';

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
      /** Next time with any others, because it was not handed over; or alone, if it was refused. */
      next?: 'fresh' | 'alone';
      forOwner?: WhichWait;
      /** Whether its reader has to be told first that they are on a list. */
      isUntold?: boolean;
    };

type Counts = { sent: number; dropped: number; later: number };

/** What is sent by one request to the provider, or one after another. */
type Group = { ids: string[]; batchKey: string | null; isAlone: boolean };

/**
 * Sends what is due: the given emails after the request that wrote them, or all by the clock, as
 * far as the requests of an invocation go. What another worker holds is left to it. Failures are
 * kept, and tried again.
 */
export async function drainOutbox(ctx: Context, ids: readonly string[] | null): Promise<void> {
  const counts: Counts = { sent: 0, dropped: 0, later: 0 };
  const due = ids === null ? await dueGroups(ctx, counts) : groupsOf(ids);
  const groups = due.slice(0, ids === null ? mostGroups(ctx) : batchesOfRequest);
  let isDone = groups.length === due.length;
  for (const group of groups) {
    const isStopped = group.isAlone
      ? await sendEach(ctx, group, counts)
      : await sendTogether(ctx, group, counts);
    if (isStopped) {
      isDone = false;
      break;
    }
  }
  if (ids === null || counts.later > 0) {
    ctx.observe.log('outbox_drained', { ...counts, is_done: isDone });
  }
}

function mostGroups(ctx: Context): number {
  return Math.max(0, Math.floor(requestsLeft(ctx) / requestsPerBatch));
}

/** A few emails go out one by one, many by one request to the provider. */
function groupsOf(ids: readonly string[]): Group[] {
  const isAlone = ids.length <= chunkRows;
  return inChunks(ids, batchRows).map((chunk) => ({ ids: chunk, batchKey: null, isAlone }));
}

function inChunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) =>
    all.slice(n * size, (n + 1) * size),
  );
}

/**
 * What the clock sends now: first what someone may be waiting for, then what others have due, of
 * each owner in turn, so that no one who has much holds up the others. What is no longer needed is
 * dropped before, however much it is.
 */
async function dueGroups(ctx: Context, counts: Counts): Promise<Group[]> {
  const now = ctx.now().getTime();
  // One more than a run sends says that there is more.
  const most = mostGroups(ctx) * batchRows + 1;
  const isDue = sql`m.sent_at IS NULL AND m.failed_at IS NULL AND m.due_at <= ${now}`;
  const { dropped, due } = await ask(ctx, {
    dropped: db.run(sql`UPDATE mails_due SET failed_at = ${now}, failure = 'not_needed',
        due_at = ${now}
      WHERE id IN (SELECT m.id FROM ${mailsWithFacts}
        WHERE ${isDue} AND NOT ${isStillNeeded(now)})`),
    due: db.all<{
      id: string;
      batchKey: string | null;
    }>(sql`SELECT id, batchKey FROM (SELECT id, batchKey, place,
          CASE WHEN batchKey IS NULL THEN place
            ELSE min(place) OVER (PARTITION BY batchKey) END AS first
        FROM (SELECT due.id, due.batch_key AS batchKey, row_number() OVER (ORDER BY
              CASE WHEN due.urgency = 1 AND due.turn > ${firstTurns} THEN 2 ELSE due.urgency END,
              due.turn, due.due_at) AS place
          FROM (SELECT m.id, m.batch_key, m.due_at, ${urgencyOf} AS urgency,
              row_number() OVER (PARTITION BY m.owner_id, ${urgencyOf} ORDER BY m.due_at) AS turn
            FROM mails_due m WHERE ${isDue}) due))
      -- A batch that was tried goes whole: the provider takes its key only once.
      WHERE first <= ${most} ORDER BY place`),
  });
  counts.dropped += dropped.meta.changes;
  const idsOf = (rows: typeof due) => rows.map(({ id }) => id);
  const isAlone = ({ id, batchKey }: (typeof due)[number]) => id === batchKey;
  // What went to the provider before goes again as it did then.
  const tried = Map.groupBy(
    due.filter((mail) => !isAlone(mail)),
    ({ batchKey }) => batchKey,
  );
  const fresh = groupsOf(idsOf(tried.get(null) ?? []));
  tried.delete(null);
  const batches = [...tried].map(([batchKey, rows]) => ({
    ids: idsOf(rows),
    batchKey,
    isAlone: false,
  }));
  const alone = inChunks(idsOf(due.filter(isAlone)), chunkRows).flatMap(groupsOf);
  const places = new Map(due.map(({ id }, place) => [id, place]));
  const placeOf = ({ ids: [first = ''] }: Group) => places.get(first) ?? 0;
  return [...fresh, ...batches, ...alone].toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Sends a few emails one after another. Returns whether the provider takes none for now. */
async function sendEach(ctx: Context, group: Group, counts: Counts): Promise<boolean> {
  // Two requests to D1 and one for each email, if none is tried again.
  if (requestsLeft(ctx) < group.ids.length + 2) {
    return true;
  }
  const { held, budget } = await hold(ctx, group);
  const delivered: Delivered[] = [];
  const taken = nothingTaken(budget);
  let isStopped = false;
  let seen = byId(held);
  let lookedAt = ctx.now().getTime();
  for (const mail of held) {
    // Also to look again and to mark them, if the provider is asked twice more.
    const mayAsk = requestsLeft(ctx) >= mostRequestsPerBatch;
    if (mayAsk && !isStopped && ctx.now().getTime() - lookedAt >= lookAgainMs) {
      seen = byId(await lookAgain(ctx, held));
      lookedAt = ctx.now().getTime();
    }
    const now = seen.get(mail.id);
    const outcome: Outcome =
      isStopped || !mayAsk || now === undefined ? notNow : await deliver(ctx, now, taken);
    // The provider takes none for now, so the rest is spared.
    isStopped ||= isRefusedForNow(outcome);
    delivered.push({ mail, outcome });
  }
  await mark(ctx, delivered, budget, counts);
  return isStopped;
}

/** Sends emails by one request. Returns whether the provider or a budget takes none for now. */
async function sendTogether(ctx: Context, group: Group, counts: Counts): Promise<boolean> {
  if (requestsLeft(ctx) < mostRequestsPerBatch) {
    return true;
  }
  const { held, budget } = await hold(ctx, group);
  const taken = nothingTaken(budget);
  const delivered = await deliverBatch(ctx, held, taken);
  // Also without any: those of another worker may have been counted.
  await mark(ctx, delivered, budget, counts);
  return taken.left.all <= 0 || delivered.some(({ outcome }) => isRefusedForNow(outcome));
}

/** Whether the provider accepts nothing for now, rather than not this email. */
function isRefusedForNow(outcome: Outcome): boolean {
  return outcome.kind === 'later' && outcome.isHeldBack !== true && outcome.next === undefined;
}

const notNow: Outcome = { kind: 'later', waitMs: minuteMs, isTry: false };

function byId(mails: readonly HeldMail[]): ReadonlyMap<string, HeldMail> {
  return new Map(mails.map((mail) => [mail.id, mail]));
}

/**
 * Takes emails, by pushing their time ahead, and looks at what they are about.
 *
 * @param group as it was found: what another worker has tried since is left to it
 */
async function hold(
  ctx: Context,
  { ids, batchKey, isAlone }: Group,
): Promise<{ held: HeldMail[]; budget: Budget }> {
  const now = ctx.now().getTime();
  const heldUntil = now + holdMs;
  // Each claim has a time of its own, by which workers tell what the others hold.
  const lastClaim = sql`(SELECT max(h.due_at) FROM mails_due h
    WHERE h.sent_at IS NULL AND h.failed_at IS NULL AND h.attempts > 0
      AND h.due_at >= ${heldUntil} AND h.due_at < ${heldUntil + claimsMs})`;
  const newKey = isAlone ? sql`mails_due.id` : sql`${batchKey ?? crypto.randomUUID()}`;
  const isSame = isAlone
    ? sql`(d.batch_key IS NULL OR d.batch_key = d.id)`
    : sql`d.batch_key IS ${batchKey}`;
  const isHeld = sql`m.due_at = ${lastClaim} AND m.sent_at IS NULL AND m.failed_at IS NULL
    AND m.attempts > 0`;
  const { held, facts, budget } = await ask(ctx, {
    held: db.all<{ id: string }>(sql`UPDATE mails_due
      SET due_at = wanted.value, attempts = attempts + 1, batch_key = ${newKey}
      FROM json_each(json_array(coalesce(${lastClaim} + 1, ${heldUntil}))) AS wanted
      WHERE mails_due.id IN (SELECT d.id FROM json_each(${JSON.stringify(ids)}) w
          JOIN mails_due d ON d.id = w.value
        WHERE d.sent_at IS NULL AND d.failed_at IS NULL AND d.due_at <= ${now} AND ${isSame}
      )
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
  return db.all<HeldMail>(sql`SELECT m.id, m.kind, m.owner_id AS ownerId, m.to_address AS "to",
        m.to_canonical AS toCanonical, m.payload, t.facts, m.attempts, m.batch_key AS batchKey,
        m.due_at AS heldUntil, ${isStillNeeded(now)} AS isNeeded, ${isLate(now)} AS isLate,
        s.reason AS suppressed,
        EXISTS (SELECT 1 FROM mails_due x WHERE x.to_canonical = m.to_canonical
          AND x.owner_id = m.owner_id AND x.complained_at IS NOT NULL) AS isUnwelcome,
        ${rankOf('m')} AS rank, ${addressRoom(ctx, now)} AS addressRoom,
        ${ownerRoom(ctx, now)} AS ownerRoom, ${bulkRoom(ctx, now)} AS bulkRoom,
        ${strangerRoom(ctx, now)} AS strangerRoom, ${isToStranger} AS isToStranger,
        ${isBulk} AS isBulk, ${isWaiting} AS isWaiting, ${isAsked} AS isAsked,
        ${isPausedFor(sql`m.owner_id`, sql`m.kind`)} AS isPaused,
        ${isWithoutNote(sql`m.owner_id`, sql`m.kind`)} AS isWithoutNote,
        ${mayHaveWords(now)} AS mayHaveWords,
        coalesce(CASE WHEN m.kind IN ('enrolled', 'transferred', 'payment_reminder')
          THEN ${hasAgreed} END, 0) AS hasAgreed,
        CASE WHEN ${followsTelling} THEN ${toldAt} END AS toldAt,
        CASE m.kind WHEN 'message' THEN ${cannotBeTold} ELSE 0 END AS cannotBeTold
      FROM ${mailsWithFacts}
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
 * twice as many, because it could expire unread. What is asked for with the address counts by
 * itself, and what answers its owner beside that of the same instructor, so that no one can lock
 * them out.
 */
function addressRoom(ctx: Context, now: number): SQL {
  const counts = sql`CASE ${rankOf('m')} WHEN 0 THEN ${rankOf('y')} = 0
    WHEN 1 THEN ${rankOf('y')} = 1 AND y.owner_id = m.owner_id ELSE ${rankOf('y')} > 0 END`;
  return roomBeside(ctx.config.limits.cohort_mails_per_address, now, counts);
}

/** How many more of them one owner may cause; what someone has asked for does not count. */
function ownerRoom(ctx: Context, now: number): SQL {
  const counts = sql`y.owner_id = m.owner_id AND ${countsForOwner('y')}
    AND ${rankOf('y')} <= ${rankOf('m')}`;
  return sql`CASE WHEN ${countsForOwner('m')}
    THEN ${roomBeside(ctx.config.limits.owner_mails_per_address, now, counts)} END`;
}

type Rates = Context['config']['limits']['cohort_mails_per_address'];

function roomBeside(rates: Rates, now: number, counts: SQL): SQL {
  const isUrgent = sql`(m.kind IN ('offer', 'offer_expiring', 'data_link'))`;
  const held = sql`(SELECT count(*) FROM mails_due y WHERE y.to_canonical = m.to_canonical
    AND y.sent_at IS NULL AND y.failed_at IS NULL AND y.attempts > 0 AND y.due_at > ${now}
    AND y.due_at < ${now + holdMs + claimsMs} AND y.due_at <> m.due_at AND ${counts})`;
  const rooms = rates.map(
    ({ count, seconds }) => sql`${count} * (1 + ${isUrgent}) - (SELECT count(*) FROM mails_due y
      WHERE y.to_canonical = m.to_canonical AND y.sent_at > ${now - seconds * 1000}
      AND ${counts}) - ${held}`,
  );
  return leastOf(rooms);
}

/** What a batch sends by itself, which the counts of its emails do not include yet. */
type Taken = {
  /** By address and by owner as the rooms count them. */
  times: Map<string, number>;
  /** How many emails may still go out at all. */
  left: { all: number; unasked: number };
};

function nothingTaken({ left: { all, unasked } }: Budget): Taken {
  return { times: new Map(), left: { all: all ?? Infinity, unasked: unasked ?? Infinity } };
}

/** Takes the room of an email, or says how it waits for some. */
function takeRoom(mail: HeldMail, { times, left }: Taken): Outcome | null {
  const later = { kind: 'later', isTry: false, isHeldBack: true } as const;
  const { toCanonical: address, ownerId, rank } = mail;
  const taken = (key: string) => times.get(key) ?? 0;
  const ofOwner = [1, 2]
    .slice(0, rank)
    .reduce((sum, other) => sum + taken(`${address} ${ownerId} ${other}`), 0);
  const ofAddress = [taken(`${address} asked`), ofOwner, taken(address)][rank] ?? 0;
  if (ofAddress >= (mail.addressRoom ?? Infinity) || ofOwner >= (mail.ownerRoom ?? Infinity)) {
    return { ...later, waitMs: hourMs };
  }
  if (mail.isWaiting === 1 && taken(`${ownerId}`) >= (mail.bulkRoom ?? Infinity)) {
    return { ...later, waitMs: hourMs, forOwner: 'all' };
  }
  if (mail.isWaiting === 1 && taken(`${ownerId} strangers`) >= (mail.strangerRoom ?? Infinity)) {
    return { ...later, waitMs: hourMs, forOwner: 'to_strangers' };
  }
  if (left.all <= 0 || (mail.isAsked === 0 && left.unasked <= 0)) {
    return { ...later, waitMs: budgetWaitMs };
  }
  const count = (key: string, by = 1) => times.set(key, taken(key) + by);
  count(rank === 0 ? `${address} asked` : address);
  count(`${address} ${ownerId} ${rank}`, mail.ownerRoom === null ? 0 : 1);
  count(`${ownerId}`, mail.isBulk);
  count(`${ownerId} strangers`, mail.isToStranger);
  left.all -= 1;
  left.unasked -= 1 - mail.isAsked;
  return null;
}

/** What becomes of an email without asking the provider; null if it is to be sent. */
function refusalOf(mail: HeldMail, taken: Taken, now: number): Outcome | null {
  const failed = (failure: Failure): Outcome => ({ kind: 'failed', failure });
  if (mail.isNeeded === 0) {
    return failed('not_needed');
  }
  if (mail.isLate === 1) {
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
    return { kind: 'later', waitMs, isTry: false, isHeldBack: true, forOwner: 'paused' };
  }
  if (mail.mayHaveWords === 0 && mail.toldAt !== null) {
    const waitMs = Math.max(0, mail.toldAt - now);
    return { kind: 'later', waitMs, isTry: false, isHeldBack: true };
  }
  // Without words it has nothing to say.
  if (mail.kind === 'message' && mail.mayHaveWords === 0) {
    return mail.cannotBeTold === 1
      ? failed('not_told')
      : { kind: 'later', waitMs: 0, isTry: false, isHeldBack: true, isUntold: true };
  }
  return takeRoom(mail, taken);
}

/** An email as it goes out now: without words for which there is no room. */
function toSend(ctx: Context, mail: HeldMail, { times }: Taken): Promise<Message> {
  // What it has just taken itself is within the room.
  const isBeyond =
    (times.get(`${mail.ownerId}`) ?? 0) > (mail.bulkRoom ?? Infinity) ||
    (times.get(`${mail.ownerId} strangers`) ?? 0) > (mail.strangerRoom ?? Infinity);
  return composeHeld(ctx, mail, {
    words: mail.mayHaveWords === 1 && mail.isWithoutNote === 0 && !isBeyond,
    money: mail.hasAgreed === 1,
  });
}

async function deliver(ctx: Context, mail: HeldMail, taken: Taken): Promise<Outcome> {
  const refusal = refusalOf(mail, taken, ctx.now().getTime());
  if (refusal !== null) {
    return refusal;
  }
  const message = await composed(ctx, mail, taken);
  if ('kind' in message) {
    return message;
  }
  try {
    return { kind: 'sent', providerId: await ctx.sendMail(message, mail.id, markOf(mail)) };
  } catch (error) {
    return afterFailure(ctx, error, mail.attempts);
  }
}

/**
 * The email, or what becomes of one that cannot be composed: it leaves its batch, whose others are
 * then the same when they are tried again.
 */
async function composed(ctx: Context, mail: HeldMail, taken: Taken): Promise<Message | Outcome> {
  try {
    return await toSend(ctx, mail, taken);
  } catch (error) {
    ctx.observe.fail(error);
    const waitMs = retryMs[mail.attempts - 1];
    return waitMs === undefined
      ? { kind: 'failed', failure: 'not_composed' }
      : { kind: 'later', waitMs, isTry: true, next: 'fresh' };
  }
}

/**
 * Sends emails by one request. What was tried keeps its key for the next try, which the provider
 * then knows; by then, some of it may be no longer needed.
 */
async function deliverBatch(
  ctx: Context,
  held: readonly HeldMail[],
  taken: Taken,
): Promise<Delivered[]> {
  const delivered: Delivered[] = [];
  const messages: { mail: HeldMail; message: Message }[] = [];
  for (const mail of held) {
    const refusal = refusalOf(mail, taken, ctx.now().getTime());
    const result = refusal ?? (await composed(ctx, mail, taken));
    if ('kind' in result) {
      delivered.push({ mail, outcome: result });
    } else {
      messages.push({ mail, message: result });
    }
  }
  return [...delivered, ...(await sendBatch(ctx, messages))];
}

async function sendBatch(
  ctx: Context,
  messages: readonly { mail: HeldMail; message: Message }[],
): Promise<Delivered[]> {
  const [first] = messages;
  if (first === undefined) {
    return [];
  }
  try {
    const answers = await ctx.sendBatch(
      messages.map(({ mail, message }) => ({ message, mark: markOf(mail) })),
      first.mail.batchKey ?? first.mail.id,
    );
    return messages.map(({ mail }, index) => {
      const answer = answers[index];
      const outcome: Outcome =
        answer?.kind === 'sent' ? answer : { kind: 'failed', failure: 'refused' };
      return { mail, outcome };
    });
  } catch (error) {
    // One outcome for all, so that they stay together.
    const attempts = Math.max(...messages.map(({ mail }) => mail.attempts));
    const outcome = afterFailure(ctx, error, attempts, messages.length);
    return messages.map(({ mail }) => ({ mail, outcome }));
  }
}

function markOf({ toCanonical, suppressed }: HeldMail) {
  return { emailCanonical: toCanonical, reason: suppressed };
}

/**
 * What becomes of what the provider has not accepted. A refusal of many says nothing of one of
 * them, so they are tried alone.
 */
function afterFailure(ctx: Context, error: unknown, attempts: number, count = 1): Outcome {
  if (isThrottledMail(error)) {
    return notNow;
  }
  ctx.observe.fail(error);
  const waitMs = retryMs[attempts - 1];
  const isRefusal = isRefusedMail(error);
  if ((isRefusal && count === 1) || waitMs === undefined) {
    return { kind: 'failed', failure: isRefusal ? 'refused' : 'not_accepted' };
  }
  return { kind: 'later', waitMs, isTry: true, ...(isRefusal && { next: 'alone' }) };
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
    batch: nextKeyOf(mail, outcome),
    toStranger: mail.isToStranger,
    attempts: mail.attempts - (outcome.kind === 'later' && !outcome.isTry ? 1 : 0),
  }));
  for (const { mail, outcome } of outcomes) {
    counts[outcome.kind === 'failed' ? 'dropped' : outcome.kind] += 1;
    if (outcome.kind === 'failed' && outcome.failure !== 'not_needed') {
      ctx.observe.log('outbox_failed', { kind: mail.kind, failure: outcome.failure });
    }
  }
  const waits = waitsOf(outcomes, now);
  const untold = outcomes.filter(({ outcome }) => outcome.kind === 'later' && outcome.isUntold);
  await ask(ctx, {
    marked: db.run(sql`UPDATE mails_due SET
        sent_at = wanted.value ->> 'sent', failed_at = wanted.value ->> 'failed',
        failure = wanted.value ->> 'failure', provider_id = wanted.value ->> 'provider',
        due_at = wanted.value ->> 'due', attempts = wanted.value ->> 'attempts',
        batch_key = wanted.value ->> 'batch', is_to_stranger = wanted.value ->> 'toStranger'
      FROM json_each(${JSON.stringify(rows)}) AS wanted
      WHERE mails_due.id = wanted.value ->> 'id' AND mails_due.sent_at IS NULL
        AND (wanted.value ->> 'sent' IS NOT NULL OR mails_due.due_at = wanted.value ->> 'held')`),
    postponed: waits.length === 0 ? undefined : db.run(postpone(now, waits)),
    told:
      untold.length === 0
        ? undefined
        : insertAdded(
            ctx,
            now,
            untold.map(({ mail }) => mail.id),
          ),
    ...release(budget, sentOf(outcomes)),
  });
}

/** By which key an email goes the next time; null for what may go with any others. */
function nextKeyOf({ id, batchKey }: HeldMail, outcome: Outcome): string | null {
  if (outcome.kind === 'later' && (outcome.isHeldBack || outcome.next === 'fresh')) {
    return null;
  }
  return outcome.kind === 'later' && outcome.next === 'alone' ? id : batchKey;
}

/** How long the owners wait whose emails were held back, each for the same reason once. */
function waitsOf(outcomes: readonly Delivered[], now: number): OwnersWait[] {
  const waits = new Map<string, OwnersWait>();
  for (const { mail, outcome } of outcomes) {
    if (outcome.kind === 'later' && outcome.forOwner !== undefined && mail.ownerId !== null) {
      const which = outcome.forOwner;
      const until = now + outcome.waitMs;
      waits.set(`${mail.ownerId} ${which}`, { ownerId: mail.ownerId, until, which });
    }
  }
  return [...waits.values()];
}

function sentOf(outcomes: readonly Delivered[]): { all: number; unasked: number } {
  const sent = outcomes.filter(({ outcome }) => outcome.kind === 'sent');
  return { all: sent.length, unasked: sent.filter(({ mail }) => mail.isAsked === 0).length };
}
