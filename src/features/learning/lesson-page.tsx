import { Trans, useLingui } from '@lingui/react/macro';
import { CourseTile } from '#features/courses/course-tile.tsx';
import { LessonText } from '#features/documents/lesson-text.tsx';
import type { ShownFile } from '#features/files/schema.ts';
import { byKey } from '#features/files/shown-file.ts';
import { Wordmark } from '#features/frames/wordmark.tsx';
import { dayIn } from '#lib/time/words.ts';
import { PrintStyles } from '#ui/print.tsx';
import { AccountButton } from './account-menu.tsx';
import { DoneSign, Minutes, OpensOn } from './course-page.tsx';
import { DoneButton } from './done-button.tsx';
import { LearnerHead, LearnerTools, type PreviewParts } from './learner-frame.tsx';
import { LessonBars } from './lesson-bars.tsx';
import { LessonSheet, lessonSheetId } from './lesson-sheet.tsx';
import { lessonsOf, type Outline, openingOf, type PlacedLesson, type Ways } from './outline.ts';

type ReadLesson = Omit<PlacedLesson, 'opening'>;

type LessonPageProps = {
  outline: Outline;
  lesson: ReadLesson;
  html: string;
  files: readonly ShownFile[];
  ways: Ways;
  now: Date;
  /** Of a preview, where nothing is marked. */
  preview?: PreviewParts;
};

/** A lesson, with the outline of its course beside it. */
export function LessonPage(props: LessonPageProps) {
  const { outline, lesson, html, files, ways, now, preview } = props;
  const { t } = useLingui();
  const today = dayIn('UTC', now);
  const { course, person } = outline;
  const lessons = lessonsOf(outline);
  return (
    // The outline is in the side on a desk, in a sheet on a phone.
    <div className="lesson-frame min-h-dvh lg:grid lg:grid-cols-[19rem_minmax(0,1fr)]">
      <LearnerHead title={`${lesson.title} · ${course.name}`} />
      <PrintStyles />
      <header className="lesson-head sticky top-0 z-1 flex min-h-14 items-center gap-2 border-b border-line bg-board ps-1 pe-3 lg:hidden">
        <button
          type="button"
          className="icon-button"
          aria-label={t`Lessons`}
          popoverTarget={lessonSheetId}
        >
          <span className="icon icon-menu" />
        </button>
        <CourseLink outline={outline} ways={ways} />
        {person && <AccountButton name={person.name} className="learner-in-head" />}
      </header>
      <LessonSheet currentId={lesson.id} label={t`Lessons`}>
        <div className="lesson-side-head flex flex-none flex-wrap items-center gap-2">
          <Wordmark />
          <CourseLink outline={outline} ways={ways} />
          <button
            type="button"
            className="icon-button -me-2 text-ink lg:hidden"
            aria-label={t`Close`}
            popoverTarget={lessonSheetId}
            popoverTargetAction="hide"
          >
            <span className="icon icon-close" />
          </button>
          {person && <LessonBars done={outline.done} of={outline.of} />}
        </div>
        <SideOutline outline={outline} currentId={lesson.id} ways={ways} today={today} />
        {person && (
          <AccountButton name={person.name} className="mt-auto w-full [&>.icon]:ms-auto" />
        )}
      </LessonSheet>
      <div className="lesson-body min-w-0 px-[clamp(1rem,4vw,2rem)] pb-12">
        {preview?.bar}
        <main id="main" className="mx-auto max-w-154 pt-5 lg:pt-14">
          <article>
            <LessonHeading lesson={lesson} of={lessons.length} />
            <LessonText
              html={html}
              hue={course.hue}
              files={byKey(files)}
              lessonPath={ways.linked}
            />
          </article>
          <LessonFoot outline={outline} lesson={lesson} ways={ways} today={today} />
        </main>
      </div>
      {preview?.tools ?? <LearnerTools person={person} />}
    </div>
  );
}

type CourseLinkProps = { outline: Outline; ways: Ways };

function CourseLink({ outline: { course, done, of, person }, ways }: CourseLinkProps) {
  const { t } = useLingui();
  return (
    <a
      href={ways.course}
      className="flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-control text-[0.9375rem]/5"
      data-tip={course.name}
    >
      <CourseTile course={course} className="tile tile-small" />
      <span className="grid min-w-0">
        <strong className="truncate font-semibold" dir="auto">
          {course.name}
        </strong>
        {person && (
          <small className="text-[0.8125rem]/4 text-muted">{t`${done} of ${of} done`}</small>
        )}
      </span>
    </a>
  );
}

type SideOutlineProps = CourseLinkProps & { currentId: string; today: string };

function SideOutline({ outline, currentId, ways, today }: SideOutlineProps) {
  const { t } = useLingui();
  return (
    <nav aria-label={t`Lessons`} className="my-4">
      {outline.sections.map((section) => (
        <section key={section.id} data-later={section.opens_at === null ? undefined : true}>
          <SideHeading section={section} today={today} />
          <ol>
            {section.lessons.map((lesson) => (
              <li key={lesson.id}>
                {section.opens_at === null ? (
                  <a
                    href={ways.lesson(lesson.id)}
                    aria-current={lesson.id === currentId ? 'page' : undefined}
                  >
                    <SideLesson lesson={lesson} />
                  </a>
                ) : (
                  <p>
                    <SideLesson lesson={lesson} />
                  </p>
                )}
              </li>
            ))}
          </ol>
        </section>
      ))}
    </nav>
  );
}

type Section = Outline['sections'][number];

/** The title of a section, and when it opens. */
function SideHeading({ section, today }: { section: Section; today: string }) {
  const { title, lessons } = section;
  const opening = openingOf(section);
  if (lessons.length === 0 || (title === null && !opening)) {
    return null;
  }
  return (
    <header className="flex flex-wrap items-baseline justify-between gap-x-3 pt-3 pb-1">
      {title !== null && (
        <h2 className="text-[1.0625rem]/6" dir="auto">
          {title}
        </h2>
      )}
      {opening && (
        <p className="text-[0.8125rem]/5 text-muted">
          <OpensOn opening={opening} today={today} isShort />
        </p>
      )}
    </header>
  );
}

function SideLesson({
  lesson: { title, is_done: isDone },
}: {
  lesson: Section['lessons'][number];
}) {
  return (
    <>
      <span dir="auto">{title}</span>
      {isDone && <DoneSign />}
    </>
  );
}

type LessonHeadingProps = {
  lesson: ReadLesson;
  of: number;
  /** Of its title. */
  level?: 'h1' | 'h2';
};

/** What stands above a lesson’s text. */
export function LessonHeading({ lesson, of, level: Title = 'h1' }: LessonHeadingProps) {
  const { t } = useLingui();
  const { number, section, minutes, title } = lesson;
  return (
    <header className="mb-5">
      <p className="mb-1 text-sm text-muted">
        {section !== null && (
          <>
            <bdi>{section}</bdi> ·{' '}
          </>
        )}
        {t`lesson ${number} of ${of}`} · <Minutes value={minutes} />
      </p>
      <Title className="text-[clamp(1.75rem,1.5rem+1.25vw,2.25rem)]/[1.2]" dir="auto">
        {title}
      </Title>
    </header>
  );
}

type LessonFootProps = Pick<LessonPageProps, 'outline' | 'lesson' | 'ways'> & { today: string };

function LessonFoot({ outline, lesson, ways, today }: LessonFootProps) {
  const { i18n, t } = useLingui();
  const { course, person } = outline;
  const lessons = lessonsOf(outline);
  const isOpen = ({ opening }: PlacedLesson) => opening === null;
  const previous = lessons.slice(0, lesson.number - 1).findLast(isOpen);
  const after = lessons.slice(lesson.number);
  const next = after.find(isOpen);
  /** What comes next and is not open yet. */
  const later = next ? undefined : after[0];
  const nextWay = next ? ways.lesson(next.id) : ways.course;
  const done = next
    ? t`Done, next lesson`
    : later
      ? t`Done, back to the course`
      : t`Done, finish the course`;
  return (
    <footer className="lesson-foot mt-9 border-t border-rule pt-6">
      <div>
        {next && (
          <p className="lesson-after">
            <small className="text-sm text-muted">
              <NextAndTime minutes={next.minutes} />
            </small>
            <strong dir="auto">{next.title}</strong>
          </p>
        )}
        {later?.opening && (
          <p className="lesson-after">
            <small className="text-sm text-muted">
              <OpensOn opening={later.opening} today={today} />
            </small>
            <strong dir="auto">{later.title}</strong>
          </p>
        )}
        {person === null ? (
          <a className="button button-primary button-large" href={nextWay}>
            <span className="icon icon-check" />
            {done}
          </a>
        ) : (
          <DoneButton
            key={lesson.id}
            enrollmentId={person.enrollment_id}
            courseId={course.id}
            lessonId={lesson.id}
            next={nextWay}
            doneAt={lesson.done_at}
            locale={i18n.locale}
            texts={{
              done,
              next: next ? t`Next lesson` : t`Back to the course`,
              doneOn: t`Done on #`,
              undo: t`Mark as not done`,
              pending: t`Saving…`,
              kept: t`Kept on this device. We’ll send it when you’re back online.`,
              unknown: t`This device doesn’t remember you anymore, so this hasn’t been sent yet.`,
              wayBack: t`Get back in`,
            }}
          />
        )}
      </div>
      <nav
        aria-label={t`Previous and next lesson`}
        className="mt-6 flex flex-wrap justify-between gap-4"
      >
        {previous && (
          <a href={ways.lesson(previous.id)}>
            <span className="icon icon-back" />
            <Trans>Previous</Trans>
          </a>
        )}
        {next && (
          <a href={nextWay} className="ms-auto">
            <Trans>Next</Trans>
            <span className="icon icon-back rotate-180" />
          </a>
        )}
      </nav>
    </footer>
  );
}

function NextAndTime({ minutes }: { minutes: number }) {
  const { t } = useLingui();
  return t`Next, ${minutes} min`;
}
