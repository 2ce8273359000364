import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import { Mark } from '#features/frames/wordmark.tsx';
import { SearchField } from '#features/lessons/lesson-search.tsx';
import { mailtoOf } from '#lib/email-address.ts';
import { dayIn } from '#lib/time/words.ts';
import { LearnerFrame, type PreviewParts } from './learner-frame.tsx';
import { LessonBars } from './lesson-bars.tsx';
import { LastDay, OpeningDay, OpeningWords } from './opening-words.tsx';
import { lessonsOf, type Outline, openingOf, type PlacedLesson, type Ways } from './outline.ts';

type CoursePageProps = {
  outline: Outline;
  ways: Ways;
  now: Date;
  preview?: PreviewParts;
  /** Until when the device remembers its person, and how it forgets them. */
  device?: ReactNode;
};

/** The outline of a course, how far its reader is, and where they continue. */
export function CoursePage({ outline, ways, now, preview, device }: CoursePageProps) {
  const { course, person } = outline;
  const lessons = lessonsOf(outline);
  const today = dayIn('UTC', now);
  return (
    <LearnerFrame title={course.name} person={person} preview={preview}>
      <section className="mt-4 grid rounded-book border-1 border-line bg-surface min-[56rem]:mt-6 min-[56rem]:min-h-68 min-[56rem]:grid-cols-[21rem_minmax(0,1fr)]">
        <CourseCover outline={outline} />
        <div className="min-w-0 px-5 pt-5 pb-6 min-[56rem]:px-8 min-[56rem]:py-7">
          {lessons.length === 0 ? (
            <NoLessons />
          ) : (
            <>
              <Standing outline={outline} lessons={lessons} ways={ways} />
              <NextSection outline={outline} today={today} isFixed={preview !== undefined} />
            </>
          )}
        </div>
      </section>
      <div className="mt-10 grid gap-10 *:min-w-0 min-[56rem]:mt-12 min-[56rem]:grid-cols-[minmax(0,40rem)_minmax(12rem,19rem)] min-[56rem]:justify-between min-[56rem]:gap-12">
        <div>
          {outline.sections.map((section) => (
            <OutlineSection
              key={section.id}
              section={section}
              lessons={lessons}
              currentId={outline.continue_with}
              ways={ways}
              today={today}
            />
          ))}
        </div>
        <CourseSide outline={outline} ways={ways} device={device} />
      </div>
    </LearnerFrame>
  );
}

function CourseCover({
  outline: { course, cohort, instructor },
}: Pick<CoursePageProps, 'outline'>) {
  const name = <bdi>{instructor.name}</bdi>;
  return (
    <div className="cover learn-cover" data-hue={course.hue}>
      <h1 className="text-[1.625rem]/8 min-[56rem]:text-3xl/9" dir="auto">
        {course.name}
      </h1>
      {cohort && (
        <p className="learn-cover-line" dir="auto">
          {cohort.name}
        </p>
      )}
      <p className="learn-cover-line">
        <span>
          <Trans>with {name}</Trans>
        </span>
        <Mark />
      </p>
    </div>
  );
}

function NoLessons() {
  return (
    <>
      <h2 className="learn-sentence">
        <Trans>No lesson is published yet.</Trans>
      </h2>
      <p className="text-muted">
        <Trans>As soon as there is one, you’ll find it here.</Trans>
      </p>
    </>
  );
}

type StandingProps = { outline: Outline; lessons: PlacedLesson[]; ways: Ways };

function Standing({ outline, lessons, ways }: StandingProps) {
  const { t } = useLingui();
  const { done, of, continue_with: nextId, person } = outline;
  const next = lessons.find(({ id }) => id === nextId);
  const number = next?.number ?? 1;
  return (
    <>
      <h2 className="learn-sentence">
        {person !== null && done === of
          ? t`${plural(of, {
              one: 'You’ve done the only lesson.',
              other: 'You’ve done all # lessons.',
            })}`
          : t`${plural(of, {
              one: `You’ve done ${done} of # lesson.`,
              other: `You’ve done ${done} of # lessons.`,
            })}`}
      </h2>
      <LessonBars done={done} of={of} />
      {outline.completed_at !== null && <Completed ways={ways} />}
      {/* The button first, where both are beside each other. */}
      {next && (
        <div className="mt-5 flex flex-row-reverse flex-wrap-reverse items-center justify-end gap-x-4 gap-y-3 max-md:flex-col max-md:flex-nowrap max-md:items-stretch">
          <p className="grid flex-[1_1_12rem] max-md:flex-none">
            <strong dir="auto">{next.title}</strong>
            <span className="text-sm text-muted">
              <SectionAndTime lesson={next} />
            </span>
          </p>
          <a
            className="button button-primary button-large max-w-full flex-none"
            href={ways.lesson(next.id)}
          >
            {done === 0 ? t`Start: lesson ${number}` : t`Continue: lesson ${number}`}
          </a>
        </div>
      )}
    </>
  );
}

/** That they have completed the course, and the way to what says so. */
function Completed({ ways }: { ways: Ways }) {
  return (
    <p className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2">
      <span className="chip">
        <span className="icon icon-check text-good" />
        <Trans>Completed</Trans>
      </span>
      {ways.certificate !== null && (
        <a className="link" href={ways.certificate}>
          <Trans>See my certificate</Trans>
        </a>
      )}
    </p>
  );
}

type NextSectionProps = { outline: Outline; today: string; isFixed: boolean };

/** The section that opens first of those that are not open; nothing without one. */
function NextSection({ outline, today, isFixed }: NextSectionProps) {
  const { i18n, t } = useLingui();
  const [next] = outline.sections
    .filter(({ opens_at: opensAt, lessons }) => opensAt !== null && lessons.length > 0)
    .toSorted((one, other) => Number(openTime(one)) - Number(openTime(other)));
  const opening = next && openingOf(next);
  if (!opening) {
    return null;
  }
  const minutes = next.lessons.reduce((sum, lesson) => sum + lesson.minutes, 0);
  return (
    <OpeningDay
      opening={opening}
      locale={i18n.locale}
      today={today}
      isFixed={isFixed}
      text={t`Next section, #`}
    >
      {next.title !== null && (
        <strong className="font-semibold" dir="auto">
          {next.title}
        </strong>
      )}
      <small className="text-sm text-muted">
        {t`${plural(next.lessons.length, {
          one: `# lesson · about ${minutes} min`,
          other: `# lessons · about ${minutes} min`,
        })}`}
      </small>
    </OpeningDay>
  );
}

function openTime({ opens_at: opensAt }: Outline['sections'][number]): Date {
  return new Date(opensAt ?? 0);
}

/** `Scenes · 11 min` */
function SectionAndTime({ lesson: { section, minutes } }: { lesson: PlacedLesson }) {
  return (
    <>
      {section !== null && (
        <>
          <bdi>{section}</bdi> ·{' '}
        </>
      )}
      <Minutes value={minutes} />
    </>
  );
}

type OpensOnProps = Pick<ComponentProps<typeof OpeningWords>, 'opening' | 'today' | 'isShort'>;

/** When a section opens, as a sentence. */
export function OpensOn(props: OpensOnProps) {
  const { i18n, t } = useLingui();
  return <OpeningWords {...props} locale={i18n.locale} text={t`Opens #`} />;
}

export function DoneSign() {
  return (
    <>
      <span className="icon icon-check" />
      <span className="sr-only">
        <Trans>done</Trans>
      </span>
    </>
  );
}

/** `11 min` */
export function Minutes({ value }: { value: number }) {
  const { t } = useLingui();
  return t`${value} min`;
}

type OutlineSectionProps = {
  section: Outline['sections'][number];
  /** All of the course. */
  lessons: PlacedLesson[];
  currentId: string | null;
  ways: Ways;
  today: string;
};

function OutlineSection(props: OutlineSectionProps) {
  const { section, lessons, currentId, ways, today } = props;
  const { t } = useLingui();
  const opening = openingOf(section);
  const ids = new Set(section.lessons.map(({ id }) => id));
  const own = lessons.filter(({ id }) => ids.has(id));
  const [done, of] = [own.filter(({ is_done: isDone }) => isDone).length, own.length];
  if (of === 0) {
    return null;
  }
  return (
    <section className="learn-section not-first:mt-10" data-later={opening ? true : undefined}>
      {(section.title !== null || opening) && (
        <header className="flex flex-wrap items-baseline justify-between gap-x-4 pb-3">
          {section.title !== null && <h2 dir="auto">{section.title}</h2>}
          {opening ? (
            <p>
              <OpensOn opening={opening} today={today} />
            </p>
          ) : (
            done > 0 && <p>{t`${done} of ${of} done`}</p>
          )}
        </header>
      )}
      <ol>
        {own.map((lesson) => (
          <li key={lesson.id} data-current={lesson.id === currentId || undefined}>
            <span aria-hidden="true">{lesson.number}</span>
            {opening ? (
              <span dir="auto">{lesson.title}</span>
            ) : (
              <a href={ways.lesson(lesson.id)} dir="auto">
                {lesson.title}
              </a>
            )}
            <small>
              <Minutes value={lesson.minutes} />
            </small>
            <LessonSign lesson={lesson} isCurrent={lesson.id === currentId} />
          </li>
        ))}
      </ol>
    </section>
  );
}

type LessonSignProps = { lesson: PlacedLesson; isCurrent: boolean };

function LessonSign({ lesson: { is_done: isDone, opening }, isCurrent }: LessonSignProps) {
  const openKind = opening ? 'later' : 'open';
  return (
    <span className="lesson-sign" data-kind={isDone ? 'done' : isCurrent ? 'current' : openKind}>
      {isDone ? (
        <DoneSign />
      ) : isCurrent ? (
        <span className="sr-only">
          <Trans>comes next for you</Trans>
        </span>
      ) : (
        opening && (
          <span className="sr-only">
            <Trans>not open</Trans>
          </span>
        )
      )}
    </span>
  );
}

type CourseSideProps = Pick<CoursePageProps, 'outline' | 'ways' | 'device'>;

function CourseSide({ outline, ways, device }: CourseSideProps) {
  const { i18n } = useLingui();
  const { instructor, access_ends_at: endsAt } = outline;
  const name = <bdi>{instructor.name}</bdi>;
  const last = endsAt && <LastDay before={endsAt} locale={i18n.locale} />;
  return (
    <aside className="text-[0.9375rem]" aria-labelledby="your-place">
      <h2
        id="your-place"
        className="border-b border-line pb-3 font-sans text-base/7 tracking-normal"
      >
        <Trans>Your place</Trans>
      </h2>
      {ways.search !== null && <SearchField action={ways.search} />}
      <ul>
        <li>
          <a className="learn-link" href={mailtoOf(instructor.email)}>
            <span className="icon icon-mail" />
            <span>
              <Trans>Write to {name}</Trans>
            </span>
          </a>
        </li>
        {ways.all !== null && (
          <li>
            <a className="learn-link" href={ways.all}>
              <span className="icon icon-print" />
              <Trans>Whole course on one page</Trans>
            </a>
          </li>
        )}
      </ul>
      {last && (
        <p className="mt-4 text-sm/5 text-muted">
          <Trans>You have access until {last}.</Trans>
        </p>
      )}
      {device}
    </aside>
  );
}
