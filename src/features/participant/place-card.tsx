import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { EnrollmentStatus, Locale } from '#db/values.ts';
import { CalendarLinks } from '#features/calendar/calendar-links.tsx';
import { canReturn, type EnrollmentState } from '#features/cohorts/cohort-status.ts';
import { earlyUntil } from '#features/cohorts/enrollment-words.ts';
import { priceAt } from '#features/cohorts/price-at.ts';
import { accessWords } from '#features/enrolling/access-words.ts';
import { Answer } from '#features/enrolling/answer.tsx';
import { Countdown } from '#features/enrolling/countdown.tsx';
import { TermsLine } from '#features/enrolling/terms-line.tsx';
import { OwnBalance } from '#features/ledger/own-balance.tsx';
import { MeetingRow, MeetingTime } from '#features/meetings/meeting-list.tsx';
import type { OwnMeeting } from '#features/meetings/public-meetings.ts';
import { priceOf } from '#lib/price.ts';
import { timeAgo, timeUntil } from '#lib/relative-time.ts';
import { dayOfWallTime, daysBetween } from '#lib/time/calendar.ts';
import {
  dayIn,
  dayParts,
  dayRange,
  longDate,
  longDay,
  timeIn,
  weekdayOf,
} from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Fact } from '#ui/fact.tsx';
import { LinkedText } from '#ui/linked-text.tsx';
import { accountCurrency, type OwnEnrollment } from './find-participant.ts';
import { ButtonAlerts, OpenCourseButton, ParticipantButton } from './participant-button.tsx';
import { isToBePaid, KeptUntil, PayForPlace, PaymentNotes, PayWhatIsOwed } from './pay-card.tsx';
import type { Participation } from './schema.ts';

/** What a card shows of a row beside its `Participation`, which hides what is for the enrolled. */
export const shownColumns = [
  'courseId',
  'lessons',
  'lessonsDone',
  'courseHue',
  'priceMinor',
  'earlyPriceMinor',
  'earlyUntilAt',
  'earlyUntilLocal',
  'currency',
  'paymentNote',
  'paymentUrl',
  'refundNote',
  'termsUrl',
  'joinPasscode',
  'entries',
  'sums',
  'statusChangedAt',
  'isOwed',
  'isPassedOn',
  'completedAt',
  'enrollmentState',
  'accessDays',
  'accessEndsAt',
  'paymentMode',
  'payable',
  'takesPayments',
  'decideBy',
  'isConfirming',
] as const;

export type OwnPlace = Pick<OwnEnrollment, (typeof shownColumns)[number]> &
  Participation & {
    /** Whether the cohort has ended or is archived. */
    isOver: boolean;
    /** All live sessions, and those that are not over. */
    meetings: OwnMeeting[];
    coming: OwnMeeting[];
  };

export type PlaceProps = {
  place: OwnPlace;
  link: string;
  instructor: string;
  now: Date;
  /** Of Stripe's page; empty where no one pays online. */
  checkoutOrigin: string;
};

type CardProps = PlaceProps & {
  /** Of their calendar; null if nothing would be in it. */
  calendarUrl: string | null;
};

/** A cohort or an evergreen course of someone: where they stand, and what they can do about it. */
export function PlaceCard(props: CardProps) {
  const { i18n } = useLingui();
  const { place, instructor, now, calendarUrl } = props;
  const name = <bdi>{instructor}</bdi>;
  const headingId = `cohort-${place.id}`;
  const passcode = place.joinPasscode && (
    <bdi className="font-semibold select-all">{place.joinPasscode}</bdi>
  );
  const isIn = place.status === 'enrolled' && !place.is_canceled && !place.isOver;
  const next = isIn ? place.coming.find(({ isCancelled }) => isCancelled === 0) : undefined;
  const joinUrl = next === undefined ? place.join_url : next.joinUrl;
  const canJoin = isIn && joinUrl !== null;
  const code = canJoin && joinUrl === place.join_url ? passcode : null;
  const soon = next === undefined ? null : soonWords(i18n, new Date(next.startsAt), now);
  // Also when the cohort is over.
  const hasLessons = place.status === 'enrolled' && !place.is_canceled && place.lessons > 0;
  const later = place.coming.filter(({ id }) => id !== next?.id);
  const card = (
    <section aria-labelledby={headingId} className="booklet place-card">
      <div className="cover" data-hue={place.courseHue}>
        {/* An open run has the name of its course. */}
        {place.kind === 'dated' && <small dir="auto">{place.course_name}</small>}
        <h2 id={headingId} className="font-sans text-base tracking-normal" dir="auto">
          {place.cohort_name}
        </h2>
        {next === undefined ? (
          <Standing {...props} />
        ) : (
          <NextOnCover meeting={next} zone={place.time_zone} now={now} />
        )}
      </div>
      <div>
        <ButtonAlerts>
          {canJoin && (
            <a
              className="button button-primary button-large w-full"
              href={joinUrl}
              rel="noreferrer"
            >
              <Trans>Join session</Trans>
            </a>
          )}
          {(soon !== null || code) && (
            <p className="hint mt-2 text-center">
              {soon}
              {soon !== null && code && ' · '}
              {code && <Trans>Passcode: {passcode}</Trans>}
            </p>
          )}
          {hasLessons && <Lessons place={place} link={props.link} isPrimary={!canJoin} />}
          {place.completedAt !== null && !place.is_canceled && (
            <a
              // One primary button.
              className={`button button-large mt-2 w-full ${canJoin || hasLessons ? '' : 'button-primary'}`}
              href={`/p/certificate?${new URLSearchParams({ token: props.link, place: place.id })}`}
            >
              <Trans>See my certificate</Trans>
            </a>
          )}
          {isIn && place.kind === 'dated' && calendarUrl !== null && (
            <details className="mt-3 [&>.calendar-links]:mt-3">
              <summary className="button w-full">
                <span className="icon icon-calendar" />
                <AllToCalendar count={place.meetings.filter(isHeld).length} />
              </summary>
              <CalendarLinks id={`calendar-${place.id}`} url={calendarUrl} />
            </details>
          )}
          {next && next.note !== null && (
            <div className="mt-5 whitespace-pre-line wrap-anywhere" dir="auto">
              <p className="hint">
                {dayIn(place.time_zone, now) === dayOfWallTime(next.startsLocal) ? (
                  <Trans>For today, from {name}</Trans>
                ) : (
                  <Trans>For the next session, from {name}</Trans>
                )}
              </p>
              <LinkedText text={next.note} />
            </div>
          )}
          {/* What is on the account of a place that is kept is a part of what is paid for it. */}
          {!isToBePaid(place) && (
            <OwnBalance
              entries={place.entries}
              sums={place.sums}
              isOwed={place.isOwed && !place.is_canceled}
              isUndecided={!place.isOwed && !place.is_canceled}
              online={place.paymentMode === 'own' ? null : <PayWhatIsOwed {...props} />}
              paymentNote={place.paymentNote}
              paymentUrl={place.paymentUrl}
              instructor={instructor}
            />
          )}
          <Actions {...props} />
          <dl className="facts">
            <Facts place={place} instructor={instructor} now={now} />
          </dl>
          <Answer of={place} />
          {isIn && place.welcome_note !== null && (
            <div className="mt-4 whitespace-pre-line" dir="auto">
              <p className="hint">
                <Trans>{name} writes:</Trans>
              </p>
              <LinkedText text={place.welcome_note} />
            </div>
          )}
        </ButtonAlerts>
        {!place.isOver && (
          <Sessions id={place.id} zone={place.time_zone} later={later} all={place.meetings} />
        )}
      </div>
    </section>
  );
  return place.paymentMode === 'own' ? (
    card
  ) : (
    <div>
      <PaymentNotes {...props} />
      {card}
    </div>
  );
}

type LessonsProps = Pick<PlaceProps, 'place' | 'link'> & { isPrimary: boolean };

/** The way to the lessons, and how far they are. */
function Lessons({ place, link, isPrimary }: LessonsProps) {
  const { t } = useLingui();
  const { lessons, lessonsDone: done } = place;
  const progressId = `lessons-${place.id}`;
  return (
    <div className="mt-2">
      <OpenCourseButton
        link={link}
        courseId={place.courseId}
        pendingLabel={t`Opening…`}
        className={`button button-large w-full ${isPrimary ? 'button-primary' : ''}`}
        describedBy={progressId}
      >
        <Trans>Open the course</Trans>
      </OpenCourseButton>
      <p id={progressId} className="hint mt-2 text-center">
        {t`${done} of ${lessons} lessons done`}
      </p>
    </div>
  );
}

const soonMs = 60 * 60 * 1000;

/** How long it is until a session begins, or since it began; null while that is far away. */
function soonWords(i18n: I18n, start: Date, now: Date): string | null {
  if (start.getTime() - now.getTime() > soonMs) {
    return null;
  }
  const [until, ago] = [timeUntil(start, now, i18n.locale), timeAgo(start, now, i18n.locale)];
  return i18n._(
    start > now ? msg`Starts ${until}` : ago === null ? msg`Starts now` : msg`Started ${ago}`,
  );
}

const isHeld = ({ isCancelled }: OwnMeeting) => isCancelled === 0;

function AllToCalendar({ count }: { count: number }) {
  const { t } = useLingui();
  return count < 2 ? t`Add to my calendar` : t`Add all ${count} to my calendar`;
}

type NextProps = { meeting: OwnMeeting; zone: string; now: Date };

/** The session that runs or comes next. */
function NextOnCover({ meeting, zone, now }: NextProps) {
  const { i18n, t } = useLingui();
  const day = dayOfWallTime(meeting.startsLocal);
  const { month, day: number } = dayParts(day, i18n.locale);
  const weekday = weekdayOf(day, i18n.locale);
  const days = daysBetween(dayIn(zone, now), day);
  return (
    <>
      <p className="mt-5 flex items-center gap-4" aria-hidden="true">
        <strong className="font-semibold text-7xl/18">{number}</strong>
        <span className="grid capitalize">
          {month}
          <small className="normal-case">
            {days === 0 ? t`Today, ${weekday}` : days === 1 ? t`Tomorrow, ${weekday}` : weekday}
          </small>
        </span>
      </p>
      <p className="place-sentence mt-3" dir="auto">
        {meeting.title}
      </p>
      <MeetingTime
        at={new Date(meeting.startsAt).toISOString()}
        startsLocal={meeting.startsLocal}
        minutes={meeting.durationMinutes}
        zone={zone}
      />
    </>
  );
}

type SessionsProps = { id: string; zone: string; later: OwnMeeting[]; all: OwnMeeting[] };

const shownSessions = 3;

/** The sessions after the next one, and all of them on demand. */
function Sessions({ id, zone, later, all }: SessionsProps) {
  const count = all.filter(isHeld).length;
  if (all.length === 0) {
    return null;
  }
  return (
    <section aria-labelledby={`sessions-${id}`} className="meeting-list mt-6">
      <h2 id={`sessions-${id}`} className="mb-3">
        {later.length > 0 ? <Trans>Coming next</Trans> : <Trans>Live sessions</Trans>}
      </h2>
      <ol>
        {later.slice(0, shownSessions).map((meeting) => (
          <MeetingRow key={meeting.id} meeting={meeting} zone={zone} />
        ))}
      </ol>
      {all.length > Math.min(later.length, shownSessions) && (
        <details>
          <summary className="button button-quiet my-2 -ml-3 w-fit list-none px-3">
            <Plural value={count} one="Show the session" other="Show all # sessions" />
          </summary>
          <ol>
            {all.map((meeting) => (
              <MeetingRow key={meeting.id} meeting={meeting} zone={zone} />
            ))}
          </ol>
        </details>
      )}
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
  if (isToBePaid(place)) {
    return <KeptUntil place={place} until={new Date(until)} now={now} />;
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

function Facts({ place, instructor, now }: Pick<PlaceProps, 'place' | 'instructor' | 'now'>) {
  const { i18n, t } = useLingui();
  const locale = i18n.locale as Locale;
  const asked = priceAt(place, place.status === 'enrolled' ? place.statusChangedAt : now);
  // What was charged, if anything; people who can come back would pay today's price.
  const canRejoin = place.actions.includes('rejoin');
  const { charged = 0, balance = 0, paid = 0, refunded = 0 } = (!canRejoin && place.sums) || {};
  const minor = charged > 0 ? charged : asked?.minorNow;
  const price = minor && asked ? priceOf(minor, asked.currency, locale) : null;
  // When the early price ends, for people without a place.
  const until =
    place.status !== 'enrolled' && charged === 0 && asked?.early
      ? earlyUntil(i18n, asked.early.untilLocal)
      : null;
  const settled = paid > refunded ? priceOf(paid - refunded, accountCurrency(place), locale) : null;
  const costs =
    charged === 0 || balance > 0
      ? price && t`${price}, payable to ${instructor}`
      : settled && t`${settled}, paid`;
  const { starts_on: first, ends_on: last, accessEndsAt: end } = place;
  const dates =
    first === null || last === null
      ? [
          {
            label: t`Access`,
            value: end ? accessUntil(i18n, end, now) : accessWords(i18n, place.accessDays),
          },
        ]
      : [
          { label: t`Dates`, value: dayRange(first, last, locale) },
          { label: t`Time zone`, value: cityOf(place.time_zone, locale) },
        ];
  const facts = [
    ...dates,
    { label: t`Place`, value: place.place && <LinkedText text={place.place} /> },
    // What is to be paid for a place that is kept stands above.
    {
      label: t`Price`,
      value: isToBePaid(place) ? null : costs && until ? `${costs} · ${until}` : costs,
    },
  ];
  return facts
    .filter(({ value }) => value !== null)
    .map(({ label, value }) => (
      <Fact key={label} term={label} dir="auto">
        {value}
      </Fact>
    ));
}

/** Until when someone can read, or could: the day by UTC. */
function accessUntil(i18n: I18n, end: Date, now: Date): string {
  const day = longDate(end, i18n.locale);
  return i18n._(end > now ? msg`until ${day}` : msg`ended on ${day}`);
}

function Actions(props: PlaceProps) {
  const { i18n, t } = useLingui();
  const { place, link, instructor } = props;
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
  const done = useDone(place);
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
      <div className="my-4 grid gap-3 [&_.hint]:text-center [&_.hint]:text-balance">
        {isToBePaid(place) && <PayForPlace {...props} />}
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
        {(actions.includes('accept') || actions.includes('rejoin') || isToBePaid(place)) && (
          <TermsLine url={place.termsUrl} instructor={instructor} />
        )}
      </div>
    )
  );
}

/** What becomes of the money of someone who leaves; null without any. */
function useMoneySentence({ place, instructor }: PlaceProps): string | null {
  const { i18n, t } = useLingui();
  const [first] = place.entries;
  if (first === undefined || place.sums === null) {
    return null;
  }
  const { balance, paid, refunded } = place.sums;
  const money = (minor: number) => priceOf(minor, first.currency, i18n.locale);
  if (paid > refunded) {
    const amount = money(paid - refunded);
    return t`You have paid ${amount}. ${instructor} decides about a refund.`;
  }
  const amount = money(balance);
  return balance > 0
    ? t`You haven’t paid ${amount} yet. ${instructor} decides whether you still owe it.`
    : null;
}

/** What becomes of the place of someone who leaves, and whether they can come back. */
function useLeavingSentence({ place }: PlaceProps): string {
  const { t } = useLingui();
  const sentences = [
    ...(place.isPassedOn ? [t`Your place goes to the next person on the waitlist.`] : []),
    ...(canReturn(place.enrollmentState)
      ? []
      : [t`Enrollment is closed, so you won’t be able to enroll again yourself.`]),
  ];
  return sentences.join(' ') || t`You can ask for a place again while enrollment is open.`;
}

/** Leaving asks once. */
export function Leave(props: PlaceProps & { isOnly: boolean }) {
  const { place, link, isOnly } = props;
  const { t } = useLingui();
  const [money, leaving] = [useMoneySentence(props), useLeavingSentence(props)];
  const cohort = place.cohort_name;
  const isRun = place.kind === 'open';
  const done = useDone(place);
  const dialogId = `leave-${place.id}`;
  const texts = {
    enrolled: {
      label: isOnly ? (isRun ? t`Leave this course` : t`Leave this cohort`) : t`Leave ${cohort}`,
      title: isRun ? t`Leave this course?` : t`Leave this cohort?`,
      text: leaving,
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
    <ActionDialog
      id={dialogId}
      opener={
        <>
          <span className="icon icon-leave" />
          <span dir="auto">{label}</span>
        </>
      }
      className="person-leave text-danger"
      title={title}
      action={
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
      }
    >
      <p>{text}</p>
      {status === 'enrolled' && money !== null && <p>{money}</p>}
    </ActionDialog>
  );
}

/** What is said when something is done, by the status after it. */
function useDone({ kind }: OwnPlace): Record<string, string> {
  const { t } = useLingui();
  return {
    enrolled: t`You’re in!`,
    waitlisted: t`You are on the waitlist.`,
    applied: t`Your request has arrived.`,
    offered: t`Your place is kept.`,
    declined: t`You have declined.`,
    left: kind === 'open' ? t`You’ve left this course.` : t`You’ve left this cohort.`,
    other: t`Done.`,
  };
}

function placeSentence(i18n: I18n, place: OwnPlace): string {
  if (place.is_canceled) {
    return i18n._(msg`This cohort was canceled.`);
  }
  const isRun = place.kind === 'open';
  if (place.completedAt !== null) {
    return i18n._(
      isRun ? msg`You have completed this course.` : msg`You have completed this cohort.`,
    );
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
    left: isRun ? msg`You’ve left this course.` : msg`You’ve left this cohort.`,
    declined: msg`You have declined.`,
    expired:
      place.paymentMode === 'online_first'
        ? msg`Your place is no longer kept.`
        : msg`The time to answer is over.`,
    removed: isRun
      ? msg`You’re no longer enrolled in this course.`
      : msg`You’re no longer enrolled in this cohort.`,
    refused: msg`Your request was turned down.`,
  };
  return i18n._(sentences[place.status]);
}

/** What comes next, or what a button does; null if nothing is to be said. */
function nextSentence(i18n: I18n, place: OwnPlace, instructor: string): string | null {
  if (isToBePaid(place)) {
    return place.takesPayments
      ? i18n._(
          msg`You pay on Stripe’s page, by card or what your bank offers. Then the place is yours.`,
        )
      : null;
  }
  const sentences: Partial<Record<EnrollmentStatus, MessageDescriptor>> = {
    offered: msg`If you decline, the place goes to the next person on the waitlist.`,
    invited: msg`An invitation doesn’t hold a place.`,
    applied: msg`${instructor} decides who takes part. We’ll email you the answer.`,
    waitlisted: msg`When a place is free for you, we’ll email you.`,
  };
  const sentence = place.actions.length > 0 && sentences[place.status];
  return sentence ? i18n._(sentence) : null;
}
