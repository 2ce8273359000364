import 'server-only';
import { eq, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import type { RequestFacts } from '#email/payload.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { cohortFacts, instructorFacts, priceOfPlace } from '#features/outbox/queue-mails.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { findEnrollable, fullName } from '#features/places/enrollable-cohort.ts';
import { maxPeople } from '#features/places/places.ts';
import { refuseUnlessOpen, tooManyPeople } from '#features/places/refusals.ts';
import { blockHash, isBlocked } from '#features/suppression/blocked-addresses.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { confirmationLifetimeMs } from './confirmation-links.ts';
import { isByProgram } from './form-stamp.ts';
import { limitOnAddress } from './limit-on-address.ts';
import type { EnrollmentRequestInput } from './schema.ts';

/** The text that people agree to under the form; a new text is a new number. */
const consentVersion = 4;

/** How long emails wait for a cohort that is asked for more often than people would. */
const slowMs = 5 * 60 * 1000;

/**
 * Asks for the confirmation of a request to enroll, by email. It changes nothing else: no place is
 * kept. What the answer says, and the work behind it, is the same for every address, so that no one
 * learns who takes part; the email says the rest.
 *
 * @returns the address that was asked
 * @throws AppError `not_found`; `validation_failed` without consent; `form_stale`, also if the
 *   question is another one by now; why no one can
 *   enroll: see `refuseUnlessOpen`; `too_many_people`; `rate_limited` for the client's network
 */
export async function requestEnrollment(
  ctx: Context,
  slug: string,
  input: EnrollmentRequestInput,
): Promise<{ email: string }> {
  const answer = { email: input.email.address };
  const { cohort, instructor } = requireFound(await findEnrollable(ctx, eq(cohorts.slug, slug)));
  refuseUnlessOpen(ctx, cohort);
  if (!input.consent) {
    const values = { instructor: fullName(instructor) };
    throw new AppError('validation_failed', {
      fields: { consent: [{ code: 'consent_required', values }] },
    });
  }
  const { enrolled, offered, waitlisted, applied } = cohort;
  if (enrolled + offered + waitlisted + applied >= maxPeople[cohort.kind]) {
    throw tooManyPeople(cohort);
  }
  if (await isByProgram(ctx, input)) {
    return answer;
  }
  const isAnother = input.question !== null && input.question !== cohort.question;
  // An answer to a question that has changed while the form was open would be one to another.
  if (input.answer !== null && (isAnother || cohort.question === null)) {
    throw new AppError('form_stale');
  }
  await writeRequest(ctx, cohort, input);
  ctx.observe.log('enrollment_requested', { cohort: cohort.id });
  return answer;
}

async function writeRequest(
  ctx: Context,
  cohort: { id: string; ownerId: string; question: string | null },
  { name, email, language = ctx.request.locale, answer }: EnrollmentRequestInput,
): Promise<void> {
  const question = answer === null ? null : cohort.question;
  const now = ctx.now().getTime();
  const { address, canonical } = email;
  const mailId = crypto.randomUUID();
  const consent = { consent_version: consentVersion };
  const facts: RequestFacts = { name, email: address, language, question, answer, ...consent };
  const addressee = { ownerId: cohort.ownerId, emailCanonical: canonical };
  const removalHash = await blockHash(ctx, addressee, cohort.id);
  const [limit, ofCohort] = await Promise.all([
    limitOnAddress(ctx, canonical, cohort.id, mailId),
    limitOn(ctx, [{ limit: 'cohort_requests', subject: cohort.id }], 'allow'),
  ]);
  const mayAsk = limit.mayWrite(cohort.ownerId);
  const expires = now + confirmationLifetimeMs;
  const isThere = sql`(e.status IN ('enrolled', 'waitlisted', 'applied')
    OR (e.status = 'offered' AND e.expires_at > ${now}))`;
  const isBarred = sql`(e.status IN ('removed', 'refused') OR ${isBlocked(cohort.ownerId, removalHash)})`;
  const { mails, usage } = await ask(ctx, {
    request: db.run(sql`INSERT INTO enrollment_requests (id, owner_id, cohort_id, email,
        email_canonical, name, language, consent_version, question, answer, created_at,
        expires_at)
      SELECT ${crypto.randomUUID()}, ${cohort.ownerId}, ${cohort.id}, ${address}, ${canonical},
        ${name}, ${language}, ${consentVersion}, ${question}, ${answer}, ${now}, ${expires} WHERE ${mayAsk}
      ON CONFLICT (cohort_id, email_canonical) DO UPDATE SET email = excluded.email,
        name = excluded.name, language = excluded.language, person_id = NULL,
        consent_version = excluded.consent_version, question = excluded.question,
        answer = excluded.answer, created_at = excluded.created_at,
        expires_at = excluded.expires_at`),
    // One shape for everyone: newcomers confirm, others read what they are already.
    mails: db.all<{ id: string; due_at: number }>(sql`INSERT INTO mails_due (id, dedupe_key,
        owner_id, cohort_id, to_address, to_canonical, kind, payload, due_at)
      SELECT ${mailId}, 'request:' || r.id || ':' || r.created_at, c.owner_id, c.id, r.email,
        r.email_canonical,
        CASE WHEN ${isThere} THEN 'already_there' WHEN ${isBarred} THEN 'write_to_instructor'
          ELSE 'confirm_request' END,
        json_object(
          'name', CASE WHEN ${isThere} OR ${isBarred} THEN p.name END,
          'language', r.language,
          'instructor', ${instructorFacts},
          'cohort', ${cohortFacts},
          'person', json(CASE WHEN ${isThere}
            THEN json_object('id', p.id, 'link_version', p.link_version) END),
          'request', json(CASE WHEN NOT coalesce(${isThere} OR ${isBarred}, 0)
            THEN json_object('id', r.id, 'expires_at', r.expires_at,
              'facts', json(${JSON.stringify(facts)})) END),
          'enrollment', NULL, 'before', NULL, 'note', NULL,
          'price', ${priceOfPlace}, 'written_at', ${now}),
        CASE WHEN ${ofCohort.hasRoom} THEN ${now} ELSE ${now + slowMs} END
      FROM enrollment_requests r JOIN cohorts c ON c.id = r.cohort_id
        JOIN courses k ON k.id = c.course_id JOIN users u ON u.id = c.owner_id
        LEFT JOIN people p ON p.owner_id = r.owner_id AND p.email_canonical = r.email_canonical
        LEFT JOIN enrollments e ON e.cohort_id = c.id AND e.person_id = p.id
      WHERE r.cohort_id = ${cohort.id} AND r.email_canonical = ${canonical}
        AND ${mayAsk}
      ON CONFLICT (dedupe_key) DO NOTHING
      RETURNING id, due_at`),
    ofCohort: ofCohort.count(limit.isWritten),
    ...limit.counts(),
  });
  refuseFull(ctx, usage.full);
  const due = mails.filter(({ due_at }) => due_at <= now);
  sendSoon(ctx, due);
}
