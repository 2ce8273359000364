import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import { DayBlock } from '#features/cohorts/drawings.tsx';
import { opening } from '#features/cohorts/enrollment-words.ts';
import { ReaderTime } from '#features/cohorts/reader-time.tsx';
import { pictureSizes } from '#features/files/picture-path.ts';
import { PublicFrame } from '#features/frames/public-frame.tsx';
import { PublicSessions, regularTime } from '#features/meetings/public-sessions.tsx';
import { weekdaysInWords, weeklyPattern } from '#features/meetings/weekly-pattern.ts';
import { DaysAndCity } from '#features/planning/cohort-rows.tsx';
import { priceOf } from '#lib/price.ts';
import { dayOfWallTime } from '#lib/time/calendar.ts';
import { dayOfYear, daySpan, lengthOf } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { LinkedText } from '#ui/linked-text.tsx';
import type { ListedCohort, PublicCohort, PublicCourse } from './find-public-pages.ts';
import { Outline } from './outline.tsx';
import { secondOf, WhoTeaches, WithTeachers } from './teachers.tsx';

type PublicPageProps = Pick<ComponentProps<typeof PublicFrame>, 'notice' | 'hasTools'> & {
  cohort: PublicCohort;
  box: ReactNode;
  /** Where its dates can be taken along; absent before it is published. */
  calendar?: ReactNode;
};

/** More rows than this unfold. */
export const mostShown = 14;

/** What everyone can see of a cohort. */
export function PublicPage({ cohort, box, calendar, ...frame }: PublicPageProps) {
  const { t } = useLingui();
  const { courseName, name, instructor, description, about, refundNote } = cohort;
  const second = secondOf(cohort);
  return (
    <PublicFrame title={courseName} {...frame}>
      <main className="public-main">
        <div className="public-text">
          <div className="public-title">
            <p dir="auto">{name}</p>
            <h1 dir="auto">{courseName}</h1>
            <WithTeachers instructor={instructor} second={second} />
            <CoursePicture path={cohort.picture} />
          </div>
          <Facts cohort={cohort} />
          <TypedText text={description} />
          <TypedSection title={description !== null && t`About the course`} text={about} />
          <PublicSessions
            meetings={cohort.meetings}
            daysOff={cohort.daysOff}
            zone={cohort.timeZone}
            most={mostShown}
          />
          {calendar}
          <Outline lessons={cohort.outline} most={mostShown} />
          <WhoTeaches instructor={instructor} second={second} />
          <TypedSection title={t`If you can’t come`} text={refundNote} />
        </div>
        {/* Last, so that a phone shows first what it is about. */}
        {box}
      </main>
    </PublicFrame>
  );
}

/** The picture of a course, whose name stands beside it; nothing without one. */
export function CoursePicture({ path }: { path: string | null }) {
  return (
    path !== null && (
      <img
        src={path}
        alt=""
        className="course-picture"
        width={pictureSizes.cover.width}
        height={pictureSizes.cover.height}
        fetchPriority="high"
      />
    )
  );
}

/** What an instructor has typed, in paragraphs; nothing for null. */
export function TypedText({ text }: { text: string | null }) {
  return (
    text !== null && (
      <div className="text-lg/7.5 whitespace-pre-line wrap-anywhere" dir="auto">
        <LinkedText text={text} />
      </div>
    )
  );
}

type TypedSectionProps = { title: string | false; text: string | null };

/** The same with a heading. */
export function TypedSection({ title, text }: TypedSectionProps) {
  return (
    text !== null && (
      <section className="grid gap-2">
        {title && <h2>{title}</h2>}
        <TypedText text={text} />
      </section>
    )
  );
}

type Fact = { label: string; value: ReactNode; note?: ReactNode; isForPhones?: boolean };

function Facts({ cohort }: { cohort: PublicCohort }) {
  const { i18n, t } = useLingui();
  const { timeZone, place, minimumPeople, isOnline, capacity } = cohort;
  const planned = cohort.meetings.filter((meeting) => meeting.isCancelled === 0);
  const where = place === null ? isOnline && t`Online` : <LinkedText text={place} />;
  const facts: Fact[] = [
    {
      label: t`Dates`,
      value: daySpan(cohort.startsOn, cohort.endsOn, i18n.locale),
      isForPhones: true,
    },
    whenOf(cohort, i18n),
    { label: t`Where`, value: where, note: isOnline && t`Link after enrolling` },
    {
      label: t`Sessions`,
      value: planned.length > 0 && <InShort meetings={planned} />,
      note: capacity !== null && t`Group of ${capacity}`,
    },
    {
      label: t`Time zone`,
      value: planned.length === 0 && cityOf(timeZone, i18n.locale),
    },
    {
      label: t`Runs with at least`,
      value: minimumPeople !== null && (
        <Plural value={minimumPeople} one="# person" other="# people" />
      ),
    },
  ];
  return (
    <dl className="facts public-facts">
      {facts
        .filter(({ value }) => value !== false)
        .map(({ label, value, note, isForPhones }) => (
          <div key={label} data-phone={isForPhones}>
            <dt>{label}</dt>
            <dd dir="auto">
              {value}
              {note && (
                <span className="block text-[0.8125rem] font-normal text-muted">{note}</span>
              )}
            </dd>
          </div>
        ))}
    </dl>
  );
}

/** On which weekdays and when its sessions are, or the one that there is. */
function whenOf({ meetings, timeZone: zone }: PublicCohort, i18n: I18n): Fact {
  const label = i18n._(msg`When`);
  const planned = meetings.filter((meeting) => meeting.isCancelled === 0);
  const pattern = weeklyPattern(meetings);
  const first = pattern?.meetings[0] ?? planned[0];
  if (first === undefined || (pattern === null && planned.length > 1)) {
    return { label, value: false };
  }
  const range = regularTime(first, zone, i18n.locale);
  const days =
    pattern === null
      ? dayOfYear(dayOfWallTime(first.startsLocal), i18n.locale)
      : weekdaysInWords(pattern.days, i18n.locale);
  // Where the browser puts the reader's time in.
  const time = '#';
  const text = i18n._(msg`${time} for you`);
  return {
    label,
    value:
      days === '' ? range : pattern === null ? `${days}, ${range}` : i18n._(msg`${days}, ${range}`),
    note: (
      <ReaderTime
        at={new Date(first.startsAt).toISOString()}
        // Where clocks change on other days, the sentence above the sessions says it.
        until={new Date((pattern?.meetings.at(-1) ?? first).startsAt).toISOString()}
        zone={zone}
        locale={i18n.locale}
        text={text}
        sameText={cityOf(zone, i18n.locale)}
        room={text}
        isShort
      />
    ),
  };
}

/** `10, each 2½ hours`, or how many there are if they differ. */
function InShort({ meetings }: Pick<PublicCohort, 'meetings'>) {
  const { i18n, t } = useLingui();
  const count = meetings.length;
  const minutes = meetings[0]?.durationMinutes ?? 0;
  const length = lengthOf(minutes, i18n.locale);
  if (!meetings.every((one) => one.durationMinutes === minutes)) {
    return count;
  }
  return count === 1 ? t`One, ${length}` : t`${count}, each ${length}`;
}

/** What everyone can see of a course: its cohorts that run or come, or what to do without one. */
export function CoursePage({ course, box }: { course: PublicCourse; box: ReactNode }) {
  const { t } = useLingui();
  const { name, instructor, cohorts } = course;
  return (
    <PublicFrame title={name}>
      <main className="public-main">
        <div className="public-text">
          <div className="public-title">
            <h1 dir="auto">{name}</h1>
            <WithTeachers instructor={instructor} />
            <CoursePicture path={course.picture} />
          </div>
          <TypedText text={course.about} />
        </div>
        <div className="grid gap-8">
          <section aria-labelledby="dates" className="grid gap-4">
            <h2 id="dates">{t`Dates`}</h2>
            {cohorts.length === 0 ? (
              <p>
                <Trans>No dates at the moment.</Trans>
              </p>
            ) : (
              <CohortLinks cohorts={cohorts} />
            )}
          </section>
          {box}
        </div>
        <WhoTeaches instructor={instructor} />
      </main>
    </PublicFrame>
  );
}

/** The cohorts of a course that run or come. */
export function CohortLinks({ cohorts }: { cohorts: ListedCohort[] }) {
  return (
    <ul className="@container">
      {cohorts.map((cohort) => (
        <li key={cohort.slug} className="border-line border-t last:border-b">
          <CohortLink cohort={cohort} />
        </li>
      ))}
    </ul>
  );
}

function CohortLink({ cohort }: { cohort: ListedCohort }) {
  const { i18n } = useLingui();
  const { slug, name, startsOn, price } = cohort;
  return (
    <a className="cohort-row" href={`/c/${slug}?lang=${i18n.locale}`}>
      <DayBlock day={startsOn} />
      <span className="cohort-name">
        <bdi className="font-semibold">{name}</bdi>
        <span className="text-muted text-sm">
          <DaysAndCity cohort={cohort} />
        </span>
      </span>
      <span className="cohort-places text-sm">
        <span>
          {price !== null && (
            <span className="text-muted">
              {`${priceOf(price.minorNow, price.currency, i18n.locale)} · `}
            </span>
          )}
          {stateWords(i18n, cohort)}
        </span>
      </span>
    </a>
  );
}

/** What one can do about a cohort, in a sentence. */
function stateWords(
  i18n: I18n,
  { enrollmentState, enrollmentOpensLocal: opens }: ListedCohort,
): string {
  const texts = {
    open: msg`Enrollment is open.`,
    approval: msg`You can ask for a place. The instructor decides.`,
    waitlist: msg`All places are taken. You can join the waitlist.`,
    full: msg`All places are taken.`,
    by_invitation: msg`This cohort is by invitation.`,
    closed: msg`Enrollment has ended.`,
    not_published: msg`Enrollment has ended.`,
  };
  return enrollmentState === 'not_yet'
    ? opening(i18n, opens ?? '')
    : i18n._(texts[enrollmentState]);
}
