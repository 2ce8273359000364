import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Mark } from '#features/frames/wordmark.tsx';
import { mailtoOf } from '#lib/email-address.ts';
import { LearnerFrame, type PreviewParts } from './learner-frame.tsx';
import { LessonBars } from './lesson-bars.tsx';
import { lessonsOf, type Outline, type PlacedLesson, type Ways } from './outline.ts';

type CoursePageProps = {
  outline: Outline;
  ways: Ways;
  preview?: PreviewParts;
  /** Until when the device remembers its person, and how it forgets them. */
  device?: ReactNode;
};

/** The outline of a course, how far its reader is, and where they continue. */
export function CoursePage({ outline, ways, preview, device }: CoursePageProps) {
  const { course, person } = outline;
  const lessons = lessonsOf(outline);
  return (
    <LearnerFrame title={course.name} person={person} preview={preview}>
      <main id="main">
        <section className="learn-card">
          <CourseCover outline={outline} />
          <div className="learn-now">
            {lessons.length === 0 ? (
              <NoLessons />
            ) : (
              <Standing outline={outline} lessons={lessons} ways={ways} />
            )}
          </div>
        </section>
        <div className="learn-columns">
          <div>
            {outline.sections.map((section) => (
              <OutlineSection
                key={section.id}
                section={section}
                lessons={lessons}
                currentId={outline.continue_with}
                ways={ways}
              />
            ))}
          </div>
          <CourseSide outline={outline} ways={ways} device={device} />
        </div>
      </main>
    </LearnerFrame>
  );
}

function CourseCover({
  outline: { course, cohort, instructor },
}: Pick<CoursePageProps, 'outline'>) {
  const name = <bdi>{instructor.name}</bdi>;
  return (
    <div className="cover learn-cover" data-hue={course.hue}>
      <h1 dir="auto">{course.name}</h1>
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
      <p className="learn-note">
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
      {next && (
        <div className="learn-continue">
          <p>
            <strong dir="auto">{next.title}</strong>
            <span>
              <SectionAndTime lesson={next} />
            </span>
          </p>
          <a className="button button-primary button-large" href={ways.lesson(next.id)}>
            {done === 0 ? t`Start: lesson ${number}` : t`Continue: lesson ${number}`}
          </a>
        </div>
      )}
    </>
  );
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
};

function OutlineSection({ section, lessons, currentId, ways }: OutlineSectionProps) {
  const { t } = useLingui();
  const ids = new Set(section.lessons.map(({ id }) => id));
  const own = lessons.filter(({ id }) => ids.has(id));
  const [done, of] = [own.filter(({ is_done: isDone }) => isDone).length, own.length];
  if (of === 0) {
    return null;
  }
  return (
    <section className="learn-section">
      {section.title !== null && (
        <header>
          <h2 dir="auto">{section.title}</h2>
          {done > 0 && <p>{t`${done} of ${of} done`}</p>}
        </header>
      )}
      <ol>
        {own.map((lesson) => (
          <li key={lesson.id} data-current={lesson.id === currentId || undefined}>
            <span aria-hidden="true">{lesson.number}</span>
            <a href={ways.lesson(lesson.id)} dir="auto">
              {lesson.title}
            </a>
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

function LessonSign({ lesson: { is_done: isDone }, isCurrent }: LessonSignProps) {
  return (
    <span className="lesson-sign" data-kind={isDone ? 'done' : isCurrent ? 'current' : 'open'}>
      {isDone ? (
        <>
          <span className="icon icon-check" />
          <span className="sr-only">
            <Trans>done</Trans>
          </span>
        </>
      ) : (
        isCurrent && (
          <span className="sr-only">
            <Trans>comes next for you</Trans>
          </span>
        )
      )}
    </span>
  );
}

function CourseSide({ outline: { instructor }, ways, device }: Omit<CoursePageProps, 'preview'>) {
  const name = <bdi>{instructor.name}</bdi>;
  return (
    <aside className="learn-aside" aria-labelledby="your-place">
      <h2 id="your-place">
        <Trans>Your place</Trans>
      </h2>
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
      {device}
    </aside>
  );
}
