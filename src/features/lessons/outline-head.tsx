import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { AnswerFrom } from '#db/query.ts';
import { isolated } from '#lib/text.ts';
import { OpenButton } from '#ui/dialog.tsx';
import { Empty } from '#ui/empty.tsx';
import { MoreMenu } from '#ui/more-menu.tsx';
import type { findOutline } from './find-outline.ts';
import { lessonPaths } from './lesson-paths.ts';
import { downloadContentId, newLessonId, newSectionId } from './outline-ids.ts';
import type { OutlineLesson } from './schema.ts';

type HeadProps = {
  course: string;
  lessons: OutlineLesson[];
  /** None: there is nothing yet. */
  sectionCount: number;
  trashCount: number;
  /** After which lesson how many people stopped; null without a drop. */
  drop: { stopped: number; title: string } | null;
};

/** The title of the page, what the lessons are now, and what can be done with all of them. */
export function OutlineHead({ course, lessons, sectionCount, trashCount, drop }: HeadProps) {
  const { t } = useLingui();
  const name = <bdi>{course}</bdi>;
  return (
    <div className="lessons-head">
      <div className="page-head">
        <h1>{t`Lessons`}</h1>
        <p>
          {sectionCount === 0 ? (
            <Trans>What people read in {name}</Trans>
          ) : (
            <Size lessons={lessons} sectionCount={sectionCount} />
          )}
        </p>
      </div>
      {sectionCount > 0 && (
        <div className="actions">
          {lessons.length > 0 && (
            <a className="button" href={lessonPaths.preview}>
              <span className="icon icon-eye" />
              <Trans>Preview</Trans>
            </a>
          )}
          <OpenButton dialogId={newLessonId} className="button button-primary" data-into="">
            <span className="icon icon-plus" />
            <Trans>New lesson</Trans>
          </OpenButton>
        </div>
      )}
      {(sectionCount > 0 || trashCount > 0) && <HeadMenu trashCount={trashCount} />}
      {lessons.length > 0 && (
        <div className="col-span-full mt-4 font-serif text-[1.75rem]/9 font-semibold tracking-[-0.015em] *:text-balance">
          <PublishedSentence
            all={lessons.length}
            published={lessons.filter(({ state }) => state !== 'draft').length}
          />
          {drop && <DropSentence {...drop} />}
        </div>
      )}
    </div>
  );
}

/** `12 lessons in 4 sections · about 2 hours` */
function Size({ lessons, sectionCount }: Pick<HeadProps, 'lessons' | 'sectionCount'>) {
  return (
    <>
      <Plural value={lessons.length} one="# lesson" other="# lessons" />
      {sectionCount > 1 && (
        <>
          {' '}
          <Plural value={sectionCount} one="in # section" other="in # sections" />
        </>
      )}
      {lessons.length > 0 && (
        <>
          {' · '}
          <Duration minutes={lessons.reduce((sum, one) => sum + one.reading_minutes, 0)} />
        </>
      )}
    </>
  );
}

const menuId = 'lessons-menu';

function HeadMenu({ trashCount }: { trashCount: number }) {
  const { t } = useLingui();
  return (
    <div className="@max-[44rem]/page:col-start-2 @max-[44rem]/page:row-start-1">
      <MoreMenu id={menuId} label={t`More actions`}>
        <OpenButton dialogId={newSectionId} className="menu-item">
          <Trans>New section</Trans>
        </OpenButton>
        <a className="menu-item" href={lessonPaths.search}>
          <Trans>Find in lessons</Trans>
        </a>
        <a className="menu-item" href={lessonPaths.files}>
          <Trans>Files</Trans>
        </a>
        <a className="menu-item" href={lessonPaths.import}>
          <Trans>Import lessons</Trans>
        </a>
        <OpenButton dialogId={downloadContentId} className="menu-item">
          <Trans>Download as Markdown</Trans>
        </OpenButton>
        <a className="menu-item" href={lessonPaths.trash}>
          <Trans>Trash</Trans>
          {trashCount > 0 && <span className="text-muted">{trashCount}</span>}
        </a>
      </MoreMenu>
    </div>
  );
}

function PublishedSentence({ all, published }: { all: number; published: number }) {
  const { t } = useLingui();
  if (published === 0) {
    return (
      <p>
        <Plural
          value={all}
          one="Your lesson isn’t published yet."
          other="None of your # lessons is published yet."
        />
      </p>
    );
  }
  return (
    <p>
      {published === all ? (
        <Plural value={all} one="Your lesson is published." other="All # lessons are published." />
      ) : (
        t`${plural(published, {
          one: `# of ${all} lessons is published.`,
          other: `# of ${all} lessons are published.`,
        })}`
      )}
    </p>
  );
}

function DropSentence({ stopped, title }: { stopped: number; title: string }) {
  const { t } = useLingui();
  const lesson = isolated(title);
  return (
    <p className="text-warn">
      {t`${plural(stopped, {
        one: `# person stopped after “${lesson}”.`,
        other: `# people stopped after “${lesson}”.`,
      })}`}
    </p>
  );
}

/** What a course without lessons shows: how to begin. */
export function EmptyOutline() {
  const { t } = useLingui();
  const steps = [
    {
      title: t({ message: 'Write', context: 'lesson' }),
      text: t`Your text is saved while you type. Until you publish it, only you see it.`,
    },
    {
      title: t({ message: 'Publish', context: 'lesson' }),
      text: t`Everyone who is enrolled can read it at once. You publish later changes when they’re ready.`,
    },
    {
      title: t`See where people stop`,
      text: t`Each lesson shows how many people opened it and finished it.`,
    },
  ];
  return (
    <>
      <Empty title={t`Start with one lesson`}>
        <p>
          <Trans>
            A title and a text are enough. You can paste from Google Docs, Notion or Word: headings,
            lists and links come along.
          </Trans>
        </p>
        <OpenButton
          dialogId={newLessonId}
          className="button button-primary button-large"
          data-into=""
        >
          <Trans>New lesson</Trans>
        </OpenButton>
        <p>
          <a href={lessonPaths.import}>
            <Trans>Import lessons</Trans>
          </a>
        </p>
      </Empty>
      <ol className="steps">
        {steps.map(({ title, text }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p className="hint">{text}</p>
          </li>
        ))}
      </ol>
    </>
  );
}

/** `about 45 minutes`, or `about 2 hours`. */
function Duration({ minutes }: { minutes: number }) {
  return minutes < 90 ? (
    <Plural value={minutes} one="about # minute" other="about # minutes" />
  ) : (
    <Plural value={Math.round(minutes / 60)} one="about # hour" other="about # hours" />
  );
}

type ProgressProps = NonNullable<AnswerFrom<typeof findOutline>['progress']>;

const progressMenuId = 'progress-menu';

/** Whose progress the outline shows, and a way to see that of another cohort; or of all, in a run. */
export function ProgressOf({ cohort, people, gone, others }: ProgressProps) {
  const name = <bdi>{cohort.name}</bdi>;
  const count = (
    <span className="text-muted">
      <Plural value={people + gone} one="# person" other="# people" />
    </span>
  );
  const goneReaders = gone > 0 && (
    <small className="basis-full text-end text-[0.875rem]">
      <GoneReaders count={gone} />
    </small>
  );
  if (cohort.kind === 'open') {
    return (
      <p className="progress-of">
        <Trans>
          Progress of <span>{count}</span>
        </Trans>
      </p>
    );
  }
  if (others.length === 0) {
    return (
      <p className="progress-of">
        <Trans>
          Progress of{' '}
          <span>
            {name}, {count}
          </span>
        </Trans>
        {goneReaders}
      </p>
    );
  }
  return (
    <div className="progress-of">
      <Trans>
        Progress of{' '}
        <button type="button" className="button" popoverTarget={progressMenuId}>
          {name}, {count}
        </button>
      </Trans>
      <div id={progressMenuId} popover="auto" data-menu className="menu">
        {[cohort, ...others].map(({ id, name: other }) => (
          <a
            key={id}
            className="menu-item"
            href={`${lessonPaths.list}?cohort=${id}`}
            aria-current={id === cohort.id ? 'true' : undefined}
          >
            <bdi>{other}</bdi>
          </a>
        ))}
      </div>
      {goneReaders}
    </div>
  );
}

/** How many of the people who are counted no longer take part. */
export function GoneReaders({ count }: { count: number }) {
  return (
    <Plural
      value={count}
      one="# of these people no longer takes part."
      other="# of these people no longer take part."
    />
  );
}
