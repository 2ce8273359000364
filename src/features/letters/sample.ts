import 'server-only';
import { msg } from '@lingui/core/macro';
import type { ParticipantMailKind } from '#email/kinds.ts';
import { participantLetter } from '#email/participant-letter.ts';
import type { Payload } from '#email/payload.ts';
import type { Viewer } from '#features/identity/find-actor.ts';
import type { OwnCohort } from '#features/planning/find-own-cohort.ts';
import { i18nFor } from '#i18n/server.ts';
import { serverPaths } from '#paths.ts';
import type { EmailPreview } from './schema.ts';

const hourMs = 60 * 60 * 1000;

/** Emails that say how long something can be accepted. */
const withEnd: readonly ParticipantMailKind[] = [
  'offer',
  'offer_expiring',
  'invitation',
  'invitation_reminder',
];

/** Emails to those whose name is not known, or not proven. */
const withoutName: readonly ParticipantMailKind[] = ['confirm_request', 'enrollment_open'];

/** What an email of a cohort would say to someone with the owner's name. */
export async function samplePayload(
  cohort: OwnCohort,
  { firstName, lastName, email }: Viewer,
  kind: ParticipantMailKind,
  now: Date,
): Promise<Payload> {
  const name = `${firstName} ${lastName}`;
  const { starts_on, ends_on, time_zone, offer_hours } = cohort;
  const ends = withEnd.includes(kind) ? now.getTime() + offer_hours * hourMs : null;
  return {
    name: withoutName.includes(kind) ? null : name,
    language: cohort.language,
    instructor: { name, email },
    cohort: {
      name: cohort.name,
      course: cohort.courseName,
      starts_on,
      ends_on,
      time_zone,
      place: cohort.place,
      welcome_note: cohort.welcome_note,
      price_minor: cohort.price_minor,
      currency: cohort.currency,
      payment_note: cohort.payment_note,
      payment_url: cohort.payment_url,
    },
    person: null,
    request: null,
    enrollment: { expires_at: ends, offer_hours, position: 1, moved_from: cohort.courseName },
    before: kind === 'dates_moved' ? { starts_on, ends_on, time_zone } : null,
    note: null,
    ...(await sampleOf(kind, cohort)),
    owed:
      kind === 'payment_reminder'
        ? { minor: cohort.price_minor ?? 0, currency: cohort.currency ?? 'EUR' }
        : null,
  };
}

/** What only some emails say, as if the first live session were on the first evening. */
async function sampleOf(
  kind: ParticipantMailKind,
  { language, place, starts_on: day, time_zone }: OwnCohort,
): Promise<Partial<Payload>> {
  const i18n = i18nFor(language);
  const [startsLocal, before] = [`${day}T18:00`, `${day}T17:00`];
  const title = i18n._(msg`First session`);
  const meeting = { title, starts_local: startsLocal, duration_minutes: 90, place };
  const known = { title, starts_local: before, time_zone };
  switch (kind) {
    case 'meeting_reminder': {
      // Its instant decides nothing here.
      return { meeting: { ...meeting, id: '', starts_at: 0, which: 'day' } };
    }
    case 'meeting_changed': {
      return { changes: [{ ...meeting, is_cancelled: false, before: known }] };
    }
    case 'meeting_cancelled': {
      return {
        changes: [
          { ...meeting, is_cancelled: true, before: { ...known, starts_local: startsLocal } },
        ],
      };
    }
    case 'starts_soon':
    case 'dates_moved': {
      return { next_meeting: { title, starts_local: startsLocal } };
    }
    case 'message': {
      const subject = i18n._(msg`Your subject`);
      return { message: { subject, text: i18n._(msg`What you write goes here.`) } };
    }
    default: {
      return {};
    }
  }
}

/** An email of a cohort as people get it, with a button that leads only to what they see. */
export async function previewEmail(
  appOrigin: string,
  cohort: OwnCohort,
  viewer: Viewer,
  kind: ParticipantMailKind,
  now: Date,
): Promise<EmailPreview> {
  const payload = await samplePayload(cohort, viewer, kind, now);
  return toPreview(appOrigin, cohort.id, viewer, kind, payload);
}

/** What an email says, as text. Its button leads to what people see of the cohort. */
export async function toPreview(
  appOrigin: string,
  cohortId: string,
  viewer: Viewer,
  kind: ParticipantMailKind,
  payload: Payload,
): Promise<EmailPreview> {
  const link = appOrigin + serverPaths.cohortPreview(cohortId);
  const {
    fromName = '',
    replyTo = '',
    subject,
    text,
  } = await participantLetter(kind, viewer.email, payload, link);
  return { kind, from: fromName, reply_to: replyTo, subject, text };
}
