import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { EnrollmentStatus, Locale } from '#db/values.ts';
import type { EnrollmentState } from '#features/cohorts/cohort-status.ts';
import { Answer } from '#features/enrolling/answer.tsx';
import { Countdown } from '#features/enrolling/countdown.tsx';
import { TermsLine } from '#features/enrolling/terms-line.tsx';
import { OwnBalance } from '#features/ledger/own-balance.tsx';
import { MeetingList } from '#features/meetings/meeting-list.tsx';
import type { OwnMeeting } from '#features/meetings/public-meetings.ts';
import { priceOf } from '#lib/price.ts';
import { dayIn, dayRange, longDay, timeIn } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { CloseButton, Dialog, OpenButton } from '#ui/dialog.tsx';
import type { OwnEnrollment } from './find-participant.ts';
import { ButtonAlerts, ParticipantButton } from './participant-button.tsx';
import type { Participation } from './schema.ts';

/** What a card shows of a row beside its `Participation`, which hides what is for the enrolled. */
export const shownColumns = [
  'courseHue',
  'priceMinor',
  'currency',
  'paymentNote',
  'paymentUrl',
  'termsUrl',
  'entries',
  'statusChangedAt',
  'enrollmentState',
] as const;

export type OwnPlace = Pick<OwnEnrollment, (typeof shownColumns)[number]> &
  Participation & {
    /** Whether the cohort has ended or is archived. */
    isOver: boolean;
    /** The live sessions that are not over. */
    meetings: OwnMeeting[];
  };

type PlaceProps = { place: OwnPlace; link: string; instructor: string; now: Date };

/** A cohort of someone: where they stand, and what they can do about it. */
export function PlaceCard(props: PlaceProps) {
  const { place, instructor } = props;
  const name = <bdi>{instructor}</bdi>;
  const headingId = `cohort-${place.id}`;
  const isIn = place.status === 'enrolled' && !place.is_canceled && !place.isOver;
  return (
    <section aria-labelledby={headingId} className="booklet place-card">
      <div className="cover" data-hue={place.courseHue}>
        <small dir="auto">{place.course_name}</small>
        <h2 id={headingId} dir="auto">
          {place.cohort_name}
        </h2>
        <Standing {...props} />
      </div>
      <div>
        <ButtonAlerts>
          <Actions {...props} />
          <dl className="facts">
            <Facts place={place} instructor={instructor} />
          </dl>
          <OwnBalance
            entries={place.entries}
            paymentNote={isIn ? place.paymentNote : null}
            paymentUrl={isIn ? place.paymentUrl : null}
            instructor={instructor}
          />
          <Answer of={place} />
          {isIn && place.welcome_note !== null && (
            <div className="mt-4 whitespace-pre-line" dir="auto">
              <p className="hint">
                <Trans>{name} writes:</Trans>
              </p>
              {place.welcome_note}
            </div>
          )}
          {isIn && place.join_url !== null && (
            <a className="button mt-4 w-full" href={place.join_url} rel="noreferrer">
              <Trans>Join online</Trans>
            </a>
          )}
          <Leave {...props} />
        </ButtonAlerts>
        {!place.isOver && (
          <MeetingList
            id={`sessions-${place.id}`}
            meetings={place.meetings}
            zone={place.time_zone}
            most={3}
          />
        )}
      </div>
    </section>
  );
}

/** The sentence; for an offer or an invitation, with the time that is left. */
function Standing({ place, now }: PlaceProps) {
  const { i18n, t } = useLingui();
  const { expires_at: until, time_zone: zone } = place;
  const locale = i18n.locale as Locale;
  if (until === null || place.isOver || place.actions.length === 0) {
    return <p className="place-sentence">{placeSentence(i18n, place)}</p>;
  }
  const end = new Date(until);
  const day = <span>{longDay(dayIn(zone, end), locale)}</span>;
  const time = <span>{timeIn(zone, end, locale)}</span>;
  const city = <span>{cityOf(zone, locale)}</span>;
  // Where the browser puts the time in.
  const hours = '#';
  const text =
    place.status === 'invited'
      ? t`You are invited, for another ${hours}.`
      : t`A place is kept for you, for another ${hours}.`;
  return (
    <>
      <Countdown
        from={place.statusChangedAt.toISOString()}
        until={until}
        now={now.toISOString()}
        locale={locale}
        text={text}
        className="place-sentence"
      />
      <small>
        <Trans>
          Until {day}, {time} ({city})
        </Trans>
      </small>
    </>
  );
}

function Facts({ place, instructor }: Pick<PlaceProps, 'place' | 'instructor'>) {
  const { i18n, t } = useLingui();
  const locale = i18n.locale as Locale;
  const { priceMinor, currency } = place;
  const price =
    priceMinor !== null && currency !== null && priceMinor > 0
      ? priceOf(priceMinor, currency, locale)
      : null;
  const days = dayRange(place.starts_on, place.ends_on, locale);
  const facts = [
    { label: t`Dates`, value: days },
    { label: t`Time zone`, value: cityOf(place.time_zone, locale) },
    { label: t`Place`, value: place.place },
    { label: t`Price`, value: price && t`${price}, paid to ${instructor}` },
  ];
  return facts
    .filter(({ value }) => value !== null)
    .map(({ label, value }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd dir="auto">{value}</dd>
      </div>
    ));
}

function Actions({ place, link, instructor }: PlaceProps) {
  const { i18n, t } = useLingui();
  const { actions, enrollmentState: state } = place;
  const comingBack: Partial<Record<EnrollmentState, { label: string; next: string }>> = {
    open: { label: t`Enroll again`, next: t`A place is free.` },
    approval: { label: t`Ask for a place again`, next: t`${instructor} decides who takes part.` },
    waitlist: {
      label: t`Join the waitlist again`,
      next: t`All places are taken. You would be last on the waitlist.`,
    },
  };
  const rejoin = actions.includes('rejoin') ? comingBack[state] : undefined;
  const next = place.isOver ? null : (rejoin?.next ?? nextSentence(i18n, place, instructor));
  const done = useDone();
  const [primary, quiet] = ['button-primary', 'button-quiet'];
  const accept = place.status === 'invited' ? t`Accept the invitation` : t`Accept the place`;
  const buttons = [
    { action: 'accept', label: accept, pending: t`Accepting…`, look: primary },
    { action: 'decline', label: t`Decline`, pending: t`Declining…`, look: quiet },
    { action: 'rejoin', label: rejoin?.label, pending: t`One moment…`, look: primary },
  ] as const;
  const shown = buttons.filter(({ action }) => actions.includes(action));
  return (
    (next !== null || shown.length > 0) && (
      <div className="place-actions">
        {shown.map(({ action, label, pending, look }) => (
          <ParticipantButton
            key={action}
            action={action}
            link={link}
            enrollmentId={place.id}
            done={done}
            className={`button ${look} button-large w-full`}
            pendingLabel={pending}
          >
            {label}
          </ParticipantButton>
        ))}
        {next !== null && <p className="hint">{next}</p>}
        {(actions.includes('accept') || actions.includes('rejoin')) && (
          <TermsLine url={place.termsUrl} instructor={instructor} />
        )}
      </div>
    )
  );
}

/** Leaving asks once. */
function Leave({ place, link }: PlaceProps) {
  const { t } = useLingui();
  const done = useDone();
  const dialogId = `leave-${place.id}`;
  const texts = {
    enrolled: {
      label: t`Leave the cohort`,
      title: t`Leave this cohort?`,
      text: t`Your place goes to the next person on the waitlist. You can’t take it back.`,
    },
    applied: {
      label: t`Withdraw my request`,
      title: t`Withdraw your request?`,
      text: t`You can ask again while enrollment is open.`,
    },
    other: {
      label: t`Leave the waitlist`,
      title: t`Leave the waitlist?`,
      text: t`If you come back, you’ll be last on the waitlist.`,
    },
  };
  const { status } = place;
  const { label, title, text } =
    texts[status === 'enrolled' || status === 'applied' ? status : 'other'];
  if (!place.actions.includes('leave')) {
    return null;
  }
  return (
    <>
      <OpenButton dialogId={dialogId} className="button button-quiet button-danger mt-4 w-full">
        {label}
      </OpenButton>
      <Dialog id={dialogId} title={title}>
        <p>{text}</p>
        <div className="dialog-foot">
          <CloseButton dialogId={dialogId}>
            <Trans>Cancel</Trans>
          </CloseButton>
          <ParticipantButton
            action="leave"
            link={link}
            enrollmentId={place.id}
            done={done}
            dialogId={dialogId}
            className="button button-delete"
            pendingLabel={t`Leaving…`}
          >
            {label}
          </ParticipantButton>
        </div>
      </Dialog>
    </>
  );
}

/** What is said when something is done, by the status after it. */
function useDone(): Record<string, string> {
  const { t } = useLingui();
  return {
    enrolled: t`You are in.`,
    waitlisted: t`You are on the waitlist.`,
    applied: t`Your request has arrived.`,
    declined: t`You have declined.`,
    left: t`You no longer take part.`,
    other: t`Done.`,
  };
}

function placeSentence(i18n: I18n, place: OwnPlace): string {
  if (place.is_canceled) {
    return i18n._(msg`This cohort was canceled.`);
  }
  if (place.isOver) {
    return i18n._(msg`This cohort has ended.`);
  }
  const n = place.queue_position ?? 1;
  const sentences: Record<EnrollmentStatus, MessageDescriptor> = {
    enrolled: msg`You are enrolled.`,
    waitlisted: msg`You are number ${n} on the waitlist.`,
    offered: msg`A place is kept for you.`,
    invited: msg`You are invited.`,
    applied: msg`You have asked for a place.`,
    left: msg`You no longer take part.`,
    declined: msg`You have declined.`,
    expired: msg`The time to answer is over.`,
    removed: msg`You were removed from this cohort.`,
    refused: msg`Your request was turned down.`,
  };
  return i18n._(sentences[place.status]);
}

/** What comes next, or what a button does; null if nothing is to be said. */
function nextSentence(i18n: I18n, place: OwnPlace, instructor: string): string | null {
  const sentences: Partial<Record<EnrollmentStatus, MessageDescriptor>> = {
    offered: msg`If you decline, the place goes to the next person on the waitlist.`,
    invited: msg`An invitation doesn’t hold a place.`,
    applied: msg`${instructor} decides who takes part. We’ll email you the answer.`,
    waitlisted: msg`When a place is free for you, we’ll email you.`,
  };
  const sentence = place.actions.length > 0 && sentences[place.status];
  return sentence ? i18n._(sentence) : null;
}
