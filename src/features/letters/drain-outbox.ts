import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import {
  type Counts,
  countDeliveries,
  type Delivery,
  type DeliveryOutcome,
  type Group,
  markMails,
  notNow,
} from '#features/outbox/claimed-mails.ts';
import { insertIntroductions } from '#features/outbox/status-mails.ts';
import { requestsLeft } from '#lib/requests-left.ts';
import { deliver, deliverBatch, noRoomTaken } from './deliver.ts';
import { type Budget, type HeldMail, holdMails, lookAgain, release } from './hold-mails.ts';
import { isStillNeeded, mailsWithFacts } from './is-still-needed.ts';
import { urgency } from './sending-rules.ts';

/** So few that even slow ones are sent and marked before the hold on them ends. */
const chunkRows = 10;
/** As many as the provider takes by one request. */
const batchRows = 100;
/** What is held longer is looked at once more before it is sent: much may have changed. */
const lookAgainMs = 1_000;
/** To hold a batch, to send it and to mark it; and when the provider is asked twice more. */
const requestsPerBatch = 3;
const mostRequestsPerBatch = 5;
/** As many batches as a request sends after its answer; the clock sends the rest. */
const batchesOfRequest = 3;
/** How many answers of one owner go before the emails of others; the rest takes turns. */
const firstTurns = 100;

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
          FROM (SELECT m.id, m.batch_key, m.due_at, ${urgency} AS urgency,
              row_number() OVER (PARTITION BY m.owner_id, ${urgency} ORDER BY m.due_at) AS turn
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
  const { held, budget } = await holdMails(ctx, group);
  const delivered: Delivery<HeldMail>[] = [];
  const taken = noRoomTaken(budget);
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
    const outcome: DeliveryOutcome =
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
  const { held, budget } = await holdMails(ctx, group);
  const taken = noRoomTaken(budget);
  const delivered = await deliverBatch(ctx, held, taken);
  // Also without any: those of another worker may have been counted.
  await mark(ctx, delivered, budget, counts);
  return taken.left.all <= 0 || delivered.some(({ outcome }) => isRefusedForNow(outcome));
}

/** Whether the provider accepts nothing for now, rather than not this email. */
function isRefusedForNow(outcome: DeliveryOutcome): boolean {
  return outcome.kind === 'later' && outcome.isHeldBack !== true && outcome.next === undefined;
}

function byId(mails: readonly HeldMail[]): ReadonlyMap<string, HeldMail> {
  return new Map(mails.map((mail) => [mail.id, mail]));
}

/** Writes what became of emails, and gives back the rest of what was counted for them. */
async function mark(
  ctx: Context,
  deliveries: readonly Delivery<HeldMail>[],
  budget: Budget,
  counts: Counts,
): Promise<void> {
  if (deliveries.length === 0 && budget.all.times === 0) {
    return;
  }
  const now = ctx.now().getTime();
  countDeliveries(ctx, deliveries, counts);
  const sent = deliveries.filter(({ outcome }) => outcome.kind === 'sent');
  const unasked = sent.filter(({ mail }) => mail.isAsked === 0);
  const toIntroduce = deliveries.flatMap(({ mail, outcome }) =>
    outcome.kind === 'later' && outcome.needsIntroduction ? [mail.id] : [],
  );
  await ask(ctx, {
    ...markMails(now, deliveries),
    introduced: toIntroduce.length === 0 ? undefined : insertIntroductions(ctx, now, toIntroduce),
    ...release(budget, { all: sent.length, unasked: unasked.length }),
  });
}
