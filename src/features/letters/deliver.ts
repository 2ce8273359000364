import 'server-only';
import type { Context } from '#context.ts';
import { traitsOf } from '#email/kinds.ts';
import { isRefusedMail, isThrottledMail, type Message } from '#email/send.ts';
import {
  type Delivery,
  type DeliveryOutcome,
  type Failure,
  notNow,
  retryAfter,
} from '#features/outbox/claimed-mails.ts';
import { hourMs, minuteMs } from '#lib/time/calendar.ts';
import { composeHeld } from './compose-held.ts';
import type { Budget, HeldMail } from './hold-mails.ts';

/** How long emails wait that are too many for the deployment. */
const budgetWaitMs = 5 * minuteMs;

const heldBack = { kind: 'later', isTry: false, isHeldBack: true } as const;

/** The room that emails of this run have taken, which what was read of them does not count. */
type TakenRoom = {
  /** By address and by owner as the rooms count them. */
  times: Map<string, number>;
  /** How many emails may still go out at all. */
  left: { all: number; unasked: number };
};

/** Before the first email. */
export function noRoomTaken({ left: { all, unasked } }: Budget): TakenRoom {
  return { times: new Map(), left: { all: all ?? Infinity, unasked: unasked ?? Infinity } };
}

/** Takes the room of an email, or says how it waits for some. */
function takeRoom(mail: HeldMail, { times, left }: TakenRoom): DeliveryOutcome | null {
  const { toCanonical: address, ownerId, rank } = mail;
  const taken = (key: string) => times.get(key) ?? 0;
  const ofOwner = [1, 2]
    .slice(0, rank)
    .reduce((sum, other) => sum + taken(`${address} ${ownerId} ${other}`), 0);
  const ofAddress = [taken(`${address} asked`), ofOwner, taken(address)][rank] ?? 0;
  if (ofAddress >= (mail.addressRoom ?? Infinity) || ofOwner >= (mail.ownerRoom ?? Infinity)) {
    return { ...heldBack, waitMs: hourMs };
  }
  if (mail.isWaiting === 1 && taken(`${ownerId}`) >= (mail.bulkRoom ?? Infinity)) {
    return { ...heldBack, waitMs: hourMs, forOwner: 'all' };
  }
  const isOfStrangers = mail.isWaiting === 1 || mail.isWaitingStranger === 1;
  if (isOfStrangers && taken(`${ownerId} strangers`) >= (mail.strangerRoom ?? Infinity)) {
    return { ...heldBack, waitMs: hourMs, forOwner: 'to_strangers' };
  }
  if (left.all <= 0 || (mail.isAsked === 0 && left.unasked <= 0)) {
    return { ...heldBack, waitMs: budgetWaitMs };
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
function withheld(mail: HeldMail, taken: TakenRoom, now: number): DeliveryOutcome | null {
  const failures: [isSo: boolean, Failure][] = [
    [mail.isNeeded === 0, 'not_needed'],
    [mail.isLate === 1, 'late'],
    [mail.suppressed !== null, 'suppressed'],
    [mail.isUnwelcome === 1, 'unwelcome'],
  ];
  const [, failure] = failures.find(([isSo]) => isSo) ?? [];
  if (failure !== undefined) {
    return { kind: 'failed', failure };
  }
  if (mail.isHeldByPause === 1) {
    return { ...heldBack, waitMs: 24 * hourMs, forOwner: 'paused' };
  }
  if (mail.mayHaveWords === 0 && mail.introductionAt !== null) {
    return { ...heldBack, waitMs: Math.max(0, mail.introductionAt - now) };
  }
  // Without words it has nothing to say.
  if (traitsOf[mail.kind].words === 'message' && mail.mayHaveWords === 0) {
    return mail.cannotBeIntroduced === 1
      ? { kind: 'failed', failure: 'not_told' }
      : { ...heldBack, waitMs: 0, needsIntroduction: true };
  }
  return takeRoom(mail, taken);
}

/** Without words for which there is no room. */
function compose(ctx: Context, mail: HeldMail, { times }: TakenRoom): Promise<Message> {
  // What it has just taken itself is within the room.
  const isBeyond =
    (times.get(`${mail.ownerId}`) ?? 0) > (mail.bulkRoom ?? Infinity) ||
    (times.get(`${mail.ownerId} strangers`) ?? 0) > (mail.strangerRoom ?? Infinity);
  return composeHeld(ctx, mail, {
    words: mail.mayHaveWords === 1 && mail.isWithoutNote === 0 && !isBeyond,
    money: mail.mayAskForMoney === 1,
    online: mail.takesPayments === 1,
  });
}

/**
 * The email as it goes out now, or what becomes of it without asking the provider. One that cannot
 * be composed leaves its batch, whose others are then the same when they are tried again.
 */
async function prepare(
  ctx: Context,
  mail: HeldMail,
  taken: TakenRoom,
): Promise<Message | DeliveryOutcome> {
  const outcome = withheld(mail, taken, ctx.now().getTime());
  try {
    return outcome ?? (await compose(ctx, mail, taken));
  } catch (error) {
    ctx.observe.fail(error);
    const waitMs = retryAfter(mail.attempts);
    return waitMs === undefined
      ? { kind: 'failed', failure: 'not_composed' }
      : { kind: 'later', waitMs, isTry: true, next: 'fresh' };
  }
}

/** Sends an email, if nothing holds it back. */
export async function deliver(
  ctx: Context,
  mail: HeldMail,
  taken: TakenRoom,
): Promise<DeliveryOutcome> {
  const message = await prepare(ctx, mail, taken);
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
 * Sends emails by one request. What was tried keeps its key for the next try, which the provider
 * then knows; by then, some of it may be no longer needed.
 */
export async function deliverBatch(ctx: Context, held: readonly HeldMail[], taken: TakenRoom) {
  const delivered: Delivery<HeldMail>[] = [];
  const messages: { mail: HeldMail; message: Message }[] = [];
  for (const mail of held) {
    const result = await prepare(ctx, mail, taken);
    if ('kind' in result) {
      delivered.push({ mail, outcome: result });
    } else {
      messages.push({ mail, message: result });
    }
  }
  return [...delivered, ...(await sendBatch(ctx, messages))];
}

async function sendBatch(ctx: Context, messages: readonly { mail: HeldMail; message: Message }[]) {
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
      const outcome: DeliveryOutcome =
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
function afterFailure(ctx: Context, error: unknown, attempts: number, count = 1): DeliveryOutcome {
  if (isThrottledMail(error)) {
    return notNow;
  }
  ctx.observe.fail(error);
  const waitMs = retryAfter(attempts);
  const isRefusal = isRefusedMail(error);
  if ((isRefusal && count === 1) || waitMs === undefined) {
    return { kind: 'failed', failure: isRefusal ? 'refused' : 'not_accepted' };
  }
  return { kind: 'later', waitMs, isTry: true, ...(isRefusal && { next: 'alone' }) };
}
