import 'server-only';
import { eq, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { refuseFull } from '#features/limits/limit-on.ts';
import { instructorFacts } from '#features/outbox/queue-mails.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { openCohortOf } from './confirm-interest.ts';
import { confirmationLifetimeMs } from './confirmation-links.ts';
import { isByProgram } from './form-stamp.ts';
import { limitOnAddress } from './limit-on-address.ts';
import type { InterestInput } from './schema.ts';

/** The text that people agree to under the form; a new text is a new number. */
const consentVersion = 1;

/**
 * Asks for the confirmation that someone would like an email when enrollment of a course opens. The
 * answer, and the work behind it, is the same for every address.
 *
 * @returns the address that was asked
 * @throws AppError `not_found`; `enrollment_is_open`, when there is nothing to wait for;
 *   `validation_failed` without consent; `form_stale`; `rate_limited` for the client's network
 */
export async function requestInterest(
  ctx: Context,
  slug: string,
  input: InterestInput,
): Promise<{ email: string }> {
  const answer = { email: input.email.address };
  const { rows, open } = await ask(ctx, {
    rows: db
      .select({ id: courses.id, ownerId: courses.ownerId })
      .from(courses)
      .where(eq(courses.slug, slug)),
    open: openCohortOf({
      now: ctx.now(),
      course: sql`(SELECT k.owner_id, k.id FROM courses k WHERE k.slug = ${slug})`,
    }),
  });
  const course = requireFound(rows[0]);
  if (open.length > 0) {
    throw new AppError('enrollment_is_open');
  }
  if (!input.consent) {
    throw new AppError('validation_failed', {
      fields: { consent: ['interest_consent_required'] },
    });
  }
  if (await isByProgram(ctx, input)) {
    return answer;
  }
  await writeInterest(ctx, course, input);
  ctx.observe.log('interest_requested', { course: course.id });
  return answer;
}

async function writeInterest(
  ctx: Context,
  course: { id: string; ownerId: string },
  { email: { address, canonical }, language = ctx.request.locale }: InterestInput,
): Promise<void> {
  const now = ctx.now().getTime();
  const mailId = crypto.randomUUID();
  const limit = await limitOnAddress(ctx, canonical, course.id, mailId);
  const mayAsk = limit.mayWrite(course.ownerId);
  const expires = now + confirmationLifetimeMs;
  const { mails, usage } = await ask(ctx, {
    // What is confirmed stays as it is: the email leads to the page that can forget it.
    interest: db.run(sql`INSERT INTO course_interests (id, owner_id, course_id, email,
        email_canonical, language, consent_version, created_at, expires_at)
      SELECT ${crypto.randomUUID()}, ${course.ownerId}, ${course.id}, ${address}, ${canonical},
        ${language}, ${consentVersion}, ${now}, ${expires} WHERE ${mayAsk}
      ON CONFLICT (course_id, email_canonical) DO UPDATE SET email = excluded.email,
        language = excluded.language, consent_version = excluded.consent_version,
        created_at = excluded.created_at, expires_at = excluded.expires_at
      WHERE course_interests.confirmed_at IS NULL`),
    mails: db.all<{ id: string }>(sql`INSERT INTO mails_due (id, dedupe_key, owner_id, to_address,
        to_canonical, kind, payload, due_at)
      SELECT ${mailId}, 'interest:' || i.id || ':' || ${now}, i.owner_id, i.email,
        i.email_canonical, 'confirm_interest',
        json_object('language', i.language, 'course', k.name, 'course_id', k.id, 'hue', k.hue,
          'instructor', ${instructorFacts},
          'interest', json_object('id', i.id, 'expires_at', ${expires})), ${now}
      FROM course_interests i JOIN courses k ON k.id = i.course_id
        JOIN users u ON u.id = i.owner_id
      WHERE i.course_id = ${course.id} AND i.email_canonical = ${canonical}
        AND ${mayAsk}
      ON CONFLICT (dedupe_key) DO NOTHING
      RETURNING id`),
    ...limit.counts(),
  });
  refuseFull(ctx, usage.full);
  sendSoon(ctx, mails);
}
