import 'server-only';
import type { Context } from '#context.ts';
import type { CourseHue, EnrollmentStatus } from '#db/values.ts';
import { type InterestPayload, interestLetter } from '#email/interest-letter.ts';
import { type OutboxKind, traitsOf } from '#email/kinds.ts';
import { mapPlaces, plain } from '#email/letters/letter-text.ts';
import { accountNotice, paymentProblem } from '#email/owner-payments.ts';
import { participantLetter, previewLetter } from '#email/participant-letter.ts';
import type { Payload } from '#email/payload.ts';
import { type NewsPayload, rosterNews } from '#email/roster-news.ts';
import type { Message } from '#email/send.ts';
import { feedAddress } from '#features/calendar/change-feed.ts';
import { hueOfCourse } from '#features/courses/list-courses.ts';
import { confirmationAddress } from '#features/enrolling/confirmation-links.ts';
import { learnerCodeOf } from '#features/learning/learner-codes.ts';
import { personAddress } from '#features/places/person-address.ts';
import { rightsAddress, rightsLifetimeMs } from '#features/rights/rights-links.ts';
import { waysOut } from '#features/unsubscribing/subscription.ts';
import { paths, serverPaths } from '#paths.ts';
import type { HeldMail } from './hold-mails.ts';

type Allowed = { words: boolean; money: boolean; online: boolean };

/** Statuses without a place: emails about them have no removal link. */
const hasNoPlace: (EnrollmentStatus | undefined)[] = ['left', 'refused', 'removed'];

/**
 * An email of the outbox, made of its payload. The links and codes are made here, so that the outbox
 * holds no key to anything; emails that are not about one's own place have those that unsubscribe.
 *
 * @param may whether it may have words of the owner, ask for money, and say that people pay online
 */
export async function composeHeld(
  ctx: Context,
  { kind, to, ...mail }: HeldMail,
  may: Allowed,
): Promise<Message> {
  if (kind === 'confirm_interest') {
    const payload: InterestPayload = withHue(JSON.parse(mail.payload));
    const { id, expires_at: expiresAt } = payload.interest;
    return interestLetter(
      to,
      payload,
      await confirmationAddress(ctx, 'interest', { id, expiresAt }),
    );
  }
  const { appOrigin } = ctx.config;
  const payload: Payload & NewsPayload = {
    ...JSON.parse(mail.facts ?? '{}'),
    ...JSON.parse(mail.payload),
  };
  const { subscription } = traitsOf[kind];
  const id = subscription === 'news' ? mail.ownerId : payload.person?.id;
  const out = subscription && id ? await waysOut(ctx, { kind: subscription, id }) : undefined;
  const headers = out && { headers: out.headers };
  if (kind === 'roster_news') {
    const links = {
      cohorts: appOrigin + paths.cohorts,
      cohort: (cohort: string) => appOrigin + paths.roster(cohort),
      out: out?.page ?? '',
    };
    return { ...(await rosterNews(to, payload, links)), ...headers };
  }
  if (kind === 'payment_problem') {
    return paymentProblem(to, payload, appOrigin + serverPaths.payments);
  }
  if (kind === 'payment_account') {
    return accountNotice(to, payload, appOrigin + serverPaths.gettingPaid);
  }
  if (kind === 'preview') {
    const { preview } = payload;
    const link = appOrigin + serverPaths.cohortPreview(preview?.cohort_id ?? '');
    return previewLetter(to, preview?.kind ?? 'enrolled', payload, link);
  }
  const [link, removal, calendar] = await Promise.all([
    linkOf(ctx, kind, payload),
    // There is nothing more to leave.
    hasNoPlace.includes(traitsOf[kind].status) ? null : removalOf(ctx, payload),
    calendarOf(ctx, payload),
  ]);
  const { request } = payload;
  const code =
    kind === 'learner_link' && request !== null
      ? { code: await learnerCodeOf(ctx, request.id) }
      : {};
  const ways = { removal, calendar, subscription: out?.page, ...code };
  const letter = await participantLetter(kind, to, allowedOf(kind, payload, may), link, ways);
  return { ...letter, ...headers };
}

function allowedOf(kind: OutboxKind, payload: Payload, may: Allowed): Payload {
  const allowed = may.words ? payload : mapPlaces(payload, plain);
  const { note, cohort } = allowed;
  return {
    ...allowed,
    note: may.words ? note : null,
    ...(traitsOf[kind].asksForMoney && !may.money && { payable: null }),
    cohort: cohort && {
      ...withHue(cohort),
      ...(!may.words && { welcome_note: null }),
      ...(!(may.words && may.money) && { payment_note: null, payment_url: null }),
      ...(!may.online && { payment_mode: 'own' as const }),
    },
  };
}

function withHue<Facts extends { course_id?: string; hue?: CourseHue | null }>(
  facts: Facts,
): Facts {
  const { course_id: id, hue = null } = facts;
  return { ...facts, hue: id === undefined ? null : hueOfCourse({ id, hue }) };
}

/** Where the button leads. */
function linkOf(ctx: Context, kind: OutboxKind, { person, request, slug }: Payload) {
  if (slug !== undefined) {
    return serverPaths.publicCohort(ctx.config.appOrigin, slug);
  }
  if (kind !== 'learner_link' && request !== null && person !== null) {
    const { id, expires_at: expiresAt } = request;
    const purpose = kind === 'address_proof' ? 'address' : 'data';
    return rightsAddress(ctx, purpose, { id, linkVersion: person.link_version, expiresAt });
  }
  if (request !== null && person === null) {
    return confirmationAddress(ctx, 'request', { id: request.id, expiresAt: request.expires_at });
  }
  return person === null
    ? ''
    : personAddress(ctx, { id: person.id, linkVersion: person.link_version });
}

/** The calendar of the person whose page the button opens. */
function calendarOf(ctx: Context, { person }: Payload): Promise<string> | null {
  return person === null
    ? null
    : feedAddress(ctx, { kind: 'personFeed', id: person.id, linkVersion: person.link_version });
}

/** Where people who were added can remove themselves until they agree; null for all others. */
function removalOf(ctx: Context, { person, enrollment }: Payload): Promise<string> | null {
  const since = enrollment?.since;
  if (person === null || since === undefined || (enrollment?.source ?? null) === null) {
    return null;
  }
  return rightsAddress(ctx, 'remove', {
    id: person.id,
    linkVersion: person.link_version,
    // From when it was written, because a second try must say the same.
    expiresAt: since + rightsLifetimeMs.remove,
  });
}
