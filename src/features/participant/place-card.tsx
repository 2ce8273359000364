import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Locale } from '#db/values.ts';
import { type EnrollmentState, isJoinable } from '#features/cohorts/cohort-status.ts';
import { Answer } from '#features/enrolling/answer.tsx';
import { Countdown } from '#features/enrolling/countdown.tsx';
import { TermsLine } from '#features/enrolling/terms-line.tsx';
import { OwnBalance } from '#features/ledger/own-balance.tsx';
import { MeetingList } from '#features/meetings/meeting-list.tsx';
import type { OwnMeeting } from '#features/meetings/public-meetings.ts';
import { priceOf } from '#lib/price.ts';
import { dayIn, dayRange, longDay, timeIn } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { hueOf } from '#ui/brand.ts';
import { CloseButton, Dialog } from '#ui/dialog.tsx';
import type { OwnEnrollment } from './find-participant.ts';
import { ButtonAlerts, ParticipantButton } from './participant-button.tsx';
import { nextSentence, placeSentence } from './place-sentences.ts';
import type { Participation } from './schema.ts';

export type OwnPlace = Participation &
  Pick<
    OwnEnrollment,
    | 'courseId'
    | 'priceMinor'
    | 'currency'
    | 'paymentNote'
    | 'paymentUrl'
    | 'termsUrl'
    | 'entries'
    | 'statusChangedAt'
    | 'enrollmentState'
  > & {
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
      <div className="cover" data-hue={hueOf(place.courseId)}>
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
    return <p className="place-sentence">{placeSentence(i18n, place, place.isOver)}</p>;
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
        from={new Date(place.statusChangedAt).toISOString()}
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
  const canRejoin = isJoinable(state) ? state : null;
  const next = place.isOver ? null : nextSentence(i18n, place, { canRejoin, instructor });
  const button = { link, enrollmentId: place.id, done: useDone() };
  const whole = 'button-large w-full';
  const hasAny = next !== null || actions.some((action) => action !== 'leave');
  return (
    hasAny && (
      <div className="place-actions">
        {actions.includes('accept') && (
          <ParticipantButton
            {...button}
            action="accept"
            className={`button button-primary ${whole}`}
            pendingLabel={t`Accepting…`}
          >
            {place.status === 'invited' ? (
              <Trans>Accept the invitation</Trans>
            ) : (
              <Trans>Accept the place</Trans>
            )}
          </ParticipantButton>
        )}
        {actions.includes('decline') && (
          <ParticipantButton
            {...button}
            action="decline"
            className={`button button-quiet ${whole}`}
            pendingLabel={t`Declining…`}
          >
            <Trans>Decline</Trans>
          </ParticipantButton>
        )}
        {actions.includes('rejoin') && (
          <ParticipantButton
            {...button}
            action="rejoin"
            className={`button button-primary ${whole}`}
            pendingLabel={t`One moment…`}
          >
            {rejoinLabel(i18n, canRejoin)}
          </ParticipantButton>
        )}
        {next !== null && <p className="hint">{next}</p>}
        {(actions.includes('accept') || actions.includes('rejoin')) && (
          <TermsLine url={place.termsUrl} instructor={instructor} />
        )}
      </div>
    )
  );
}

function rejoinLabel(i18n: I18n, canRejoin: EnrollmentState | null): string {
  if (canRejoin === 'approval') {
    return i18n._(msg`Ask for a place again`);
  }
  return canRejoin === 'open' ? i18n._(msg`Enroll again`) : i18n._(msg`Join the waitlist again`);
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
      <button
        type="button"
        className="button button-quiet button-danger mt-4 w-full"
        command="show-modal"
        commandfor={dialogId}
      >
        {label}
      </button>
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
