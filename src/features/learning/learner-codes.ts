import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context, LearnerDevice } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { limitOnAddress } from '#features/enrolling/limit-on-address.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { insertLinkMail } from '#features/rights/renew-link.ts';
import { AppError } from '#lib/app-error.ts';
import { withPlainDigits } from '#lib/text.ts';
import { createToken, hashToken, sign } from '#lib/tokens.ts';
import { codeLifetimeSeconds, remember } from './device.ts';
import { areOfAttempt, isReading, type Learner, placeRows } from './find-learner.ts';
import { wayIn } from './open-course.ts';
import type { LearnerCodeInput, LearnerLinkInput, Opened } from './schema.ts';

/** How many wrong codes end an attempt, as many as `learner_codes_per_attempt`. */
const maxTries = 5;

type Keyed = Pick<Context, 'config'>;

/**
 * The six digits of an email: derived from its id when it is sent, so that neither the outbox nor
 * the table of codes has them. All are equally likely, but for one in 2²⁸.
 */
export async function learnerCodeOf({ config }: Keyed, mailId: string): Promise<string> {
  const digest = await sign(`digits:${mailId}`, config.appSecret, 'learner codes, version 1');
  return String(Number.parseInt(digest.slice(0, 12), 16) % 1_000_000).padStart(6, '0');
}

/** Keyed, and with the attempt's token, which is not stored: a million codes are soon tried. */
function hashCode({ config }: Keyed, attempt: string, digits: string): Promise<string> {
  return sign(`code:${attempt}:${digits}`, config.appSecret, 'learner codes, version 1');
}

/**
 * Emails a link and six digits to someone who takes part in a course, if the address is theirs. The
 * answer and the work are the same whether it is or not.
 *
 * @returns the token for the attempt cookie of the browser, the only one that can use the digits
 * @throws AppError `rate_limited` for the client's network
 */
export async function requestLearnerLink(
  ctx: Context,
  { course_id: courseId, email }: LearnerLinkInput,
): Promise<string> {
  const { canonical } = email;
  const mailId = crypto.randomUUID();
  const attempt = createToken();
  const expiresAt = ctx.now().getTime() + codeLifetimeSeconds * 1000;
  const [limit, attemptHash, codeHash] = await Promise.all([
    limitOnAddress(ctx, canonical, 'learner_link', mailId),
    hashToken(attempt),
    learnerCodeOf(ctx, mailId).then((digits) => hashCode(ctx, attempt, digits)),
  ]);
  const isTheirs = sql`p.owner_id = (SELECT x.owner_id FROM courses x WHERE x.id = ${courseId})
    AND p.email_canonical = ${canonical} AND p.erased_at IS NULL
    AND EXISTS (SELECT 1 FROM enrollments e JOIN cohorts c ON c.id = e.cohort_id
      WHERE e.person_id = p.id AND c.course_id = ${courseId} AND ${isReading})
    AND ${limit.mayWrite(sql`p.owner_id`)}`;
  const { mails, usage } = await ask(ctx, {
    // One for all windows: only the code in the latest email works.
    codes: db.run(sql`INSERT INTO learner_codes
        (person_id, owner_id, attempt_hash, code_hash, expires_at)
      SELECT p.id, p.owner_id, ${attemptHash}, ${codeHash}, ${expiresAt}
      FROM people p WHERE ${isTheirs}
      ON CONFLICT (person_id) DO UPDATE SET attempt_hash = excluded.attempt_hash,
        code_hash = excluded.code_hash, tries = 0, expires_at = excluded.expires_at`),
    mails: insertLinkMail(ctx, isTheirs, {
      kind: 'learner_link',
      id: mailId,
      courseId,
      request: sql`json_object('id', ${mailId}, 'expires_at', ${expiresAt})`,
    }),
    ...limit.counts(),
  });
  refuseFull(ctx, usage.full);
  sendSoon(ctx, mails);
  return attempt;
}

/**
 * Uses the code of an email in the browser that asked for it, which then remembers its person.
 *
 * One batch compares the code, ends a right one and counts a wrong one: however many requests are
 * sent at once, an attempt has `maxTries` tries, and a code works once. A refusal is the same for
 * an attempt with the address of someone who takes part as for any other: it tells no one who does.
 *
 * @param attempt the token of the browser's attempt cookie; null without one
 * @throws AppError `learner_code_wrong`; `learner_code_over` after the last try of an attempt, and
 *   if the browser has none; `lessons_not_open`; `rate_limited`
 */
export async function confirmLearnerCode(
  ctx: Context,
  device: LearnerDevice,
  attempt: string | null,
  { code, course_id: courseId }: LearnerCodeInput,
): Promise<Opened> {
  const digits = withPlainDigits(String(code ?? '')).replace(/\D/g, '');
  const tried = attempt === null ? [] : [attempt];
  const [limit, tries, attemptHash, codeHash] = await Promise.all([
    limitOn(ctx, [{ limit: 'codes_per_ip' }], 'refuse'),
    limitOn(
      ctx,
      tried.map((subject) => ({ limit: 'learner_codes_per_attempt', subject })),
      'refuse',
    ),
    hashToken(attempt ?? ''),
    hashCode(ctx, attempt ?? '', digits),
  ]);
  const isLive = sql`attempt_hash = ${attemptHash} AND expires_at > ${ctx.now().getTime()}
    AND tries < ${maxTries} AND ${limit.hasRoom}`;
  const isRight = sql`${isLive} AND code_hash = ${codeHash}`;
  const { people, places, used, left, usage } = await ask(ctx, {
    people: db.all<Learner>(sql`SELECT p.id, p.link_version AS linkVersion, p.name
      FROM learner_codes JOIN people p ON p.id = learner_codes.person_id
      WHERE ${isRight} AND p.erased_at IS NULL`),
    places: placeRows({ where: areOfAttempt({ attemptHash }) }),
    used: db.all(sql`DELETE FROM learner_codes WHERE ${isRight} RETURNING person_id`),
    // Finds no row if the code was right.
    counted: db.run(sql`UPDATE learner_codes SET tries = tries + 1 WHERE ${isLive}`),
    // Also without a row, of which refusals say nothing.
    tried: tries.count(sql`${limit.hasRoom}`),
    left: db.all<{ tries: number | null }>(sql`SELECT ${tries.left} AS tries`),
    usage: limit.count(),
  });
  refuseFull(ctx, usage.full);
  const [person] = people;
  if (used.length > 0 && person !== undefined) {
    await remember(ctx, device, person);
    return wayIn(ctx, places, courseId);
  }
  const n = attempt === null ? 0 : (left[0]?.tries ?? maxTries);
  ctx.observe.log('learner_code_refused', { left: n });
  if (n === 0) {
    throw new AppError('learner_code_over');
  }
  throw new AppError('learner_code_wrong', { values: { n } });
}
