import 'server-only';
import type { I18n } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps } from 'react';
import { ChooseButton } from '#features/courses/course-choice.tsx';
import { courseTypeNames } from '#features/courses/course-types.ts';
import { LessonText } from '#features/documents/lesson-text.tsx';
import { renderDocument } from '#features/documents/render-document.ts';
import type { ShownFile } from '#features/files/schema.ts';
import { byKey } from '#features/files/shown-file.ts';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';
import { AppShell } from '#features/shell/app-shell.tsx';
import { formMessages, problemTexts } from '#i18n/validation.ts';
import { longDate, shortDate } from '#lib/time/words.ts';
import { OpenButton } from '#ui/dialog.tsx';
import { MoreMenu } from '#ui/more-menu.tsx';
import { editorTexts } from './editor/editor-texts.ts';
import type { OwnLesson } from './find-lesson.ts';
import { type LessonFacts, shownVersions } from './find-lesson-facts.ts';
import {
  AboutButton,
  DuplicateButton,
  TrashButton,
  UnpublishButton,
  Words,
} from './lesson-actions.tsx';
import { MinutesDialog, UnpublishDialog } from './lesson-dialogs.tsx';
import { lessonApi, lessonPaths } from './lesson-paths.ts';
import { GoneReaders } from './outline-head.tsx';
import { minutesId, unpublishId } from './outline-ids.ts';
import { minutesTexts, stateTexts, unpublishTexts } from './outline-texts.ts';
import { versionWords } from './version-words.ts';
import { validation } from './vocabulary.ts';
import { WriteLesson } from './write-lesson.tsx';

const menuId = 'lesson-menu';
const factsId = 'lesson-facts';

/** Of the sections of what is known about a lesson. */
const headLook = 'pb-2 font-sans text-base/6 tracking-normal';

type Request = ComponentProps<typeof AppShell>['request'];
type LessonPageProps = {
  request: Request;
  lesson: OwnLesson;
  facts: LessonFacts;
  files: ShownFile[];
};

/** A lesson while it is written, with what is known about it. */
export function LessonPage({ request, lesson, facts, files }: LessonPageProps) {
  const { i18n, t } = useLingui();
  const { id, title, sectionTitle } = lesson;
  const { course } = facts;
  // The sidebar and its list are those of the selected course.
  const isElsewhere = course.id !== request.course.id;
  const trail = isElsewhere
    ? []
    : [
        { to: lessonPaths.list, label: t`Lessons` },
        ...(sectionTitle === null
          ? []
          : [{ to: `${lessonPaths.list}#section-${lesson.section_id}`, label: sectionTitle }]),
      ];
  const minutes = lesson.reading_minutes;
  const versions = lesson.versions;
  const messages = formMessages(i18n, validation);
  return (
    <AppShell
      request={request}
      current={isElsewhere ? null : lessonPaths.list}
      title={title}
      trail={trail}
    >
      <h1 className="sr-only" dir="auto">
        {title}
      </h1>
      {isElsewhere && (
        <p className="text-sm/5 text-muted">
          <bdi>{course.name}</bdi>
          {'\u00a0· '}
          <ChooseButton
            course={{
              id: course.id,
              name: course.name,
              type: courseTypeNames(i18n)[course.courseType],
              hue: course.hue,
            }}
          >
            <Trans>Switch to this course</Trans>
          </ChooseButton>
        </p>
      )}
      <noscript>
        <p className="notice">
          <Trans>
            Writing needs JavaScript. Please turn it on in your browser and reload the page.
          </Trans>
        </p>
      </noscript>
      <WriteLesson
        // Another lesson gets an editor of its own.
        key={id}
        lesson={lesson}
        rendered={
          <LessonText
            html={renderDocument(lesson.document)}
            hue={course.hue}
            files={byKey(files)}
          />
        }
        files={files}
        hue={course.hue}
        viewerId={request.ctx.viewer.id}
        locale={i18n.locale}
        texts={writeTexts(i18n)}
        editorTexts={editorTexts(i18n, request.ctx.files !== null)}
        problems={problemTexts(i18n)}
        menu={<LessonMenu lesson={lesson} facts={facts} />}
        summary={
          <p className="-mt-3 mb-4 hidden text-sm/5 text-muted @max-[54rem]/page:block">
            {sectionTitle !== null && (
              <>
                <bdi>{sectionTitle}</bdi>
                {' · '}
              </>
            )}
            {t`about ${minutes} min`}
            {versions > 0 && (
              <>
                {' · '}
                <a className="link" href={lessonPaths.versions(id)}>
                  <Plural value={versions} one="# version" other="# versions" />
                </a>
              </>
            )}
          </p>
        }
      >
        <Facts lesson={lesson} facts={facts} />
      </WriteLesson>
      <MinutesDialog
        id={id}
        minutes={lesson.minutes}
        messages={messages}
        texts={minutesTexts(i18n)}
      />
      {lesson.state !== 'draft' && facts.isOpened && (
        <UnpublishDialog id={id} messages={messages} texts={unpublishTexts(i18n)} />
      )}
      <LeaveDialog />
    </AppShell>
  );
}

/** What is rarely done. */
function LessonMenu({ lesson, facts }: Omit<LessonPageProps, 'request' | 'files'>) {
  const { t } = useLingui();
  const { id } = lesson;
  const item = { id, className: 'menu-item' };
  return (
    <MoreMenu id={menuId} label={t`More actions`}>
      <AboutButton factsId={factsId} className="menu-item @min-[54rem]/page:hidden">
        <Trans>About this lesson</Trans>
      </AboutButton>
      <a
        className="menu-item @min-[54rem]/page:hidden"
        href={`${lessonPaths.lessonPreview(id)}?drafts=1`}
      >
        <Trans>Preview</Trans>
      </a>
      <a className="menu-item" href={lessonPaths.versions(id)}>
        <Trans>Versions</Trans>
      </a>
      <DuplicateButton
        {...item}
        pendingLabel={t`Duplicating…`}
        done={t`This is the copy, a draft.`}
      >
        <Trans>Duplicate</Trans>
      </DuplicateButton>
      {lesson.state !== 'draft' &&
        (facts.isOpened ? (
          <OpenButton dialogId={unpublishId} className="menu-item">
            <Trans context="lesson">Unpublish</Trans>
          </OpenButton>
        ) : (
          <UnpublishButton
            {...item}
            pendingLabel={t({ message: 'Unpublishing…', context: 'lesson' })}
            done={t`The lesson is a draft again.`}
          >
            <Trans context="lesson">Unpublish</Trans>
          </UnpublishButton>
        ))}
      <TrashButton
        id={id}
        className="menu-item menu-last text-danger"
        pendingLabel={t`Moving…`}
        done={t({ message: 'Moved to the trash.', context: 'lesson' })}
        undo={{ label: t`Undo`, path: lessonApi.restore(id), done: t`Lesson restored.` }}
      >
        <Trans>Move to the trash</Trans>
      </TrashButton>
    </MoreMenu>
  );
}

/** What is known about a lesson. On narrow screens it opens from the menu. */
function Facts({ lesson, facts }: Omit<LessonPageProps, 'request' | 'files'>) {
  const { i18n, t } = useLingui();
  const { id, sectionTitle, versions } = lesson;
  const minutes = lesson.reading_minutes;
  const shownMinutes = lesson.minutes === null ? t`About ${minutes} min` : t`${minutes} min`;
  return (
    <aside id={factsId} popover="auto" className="lesson-facts" aria-label={t`About this lesson`}>
      <section>
        <h2 className={headLook}>{t`This lesson`}</h2>
        <dl>
          {sectionTitle !== null && (
            <div>
              <dt>{t`Section`}</dt>
              <dd dir="auto">{sectionTitle}</dd>
            </div>
          )}
          <div>
            <dt>{t`Reading time`}</dt>
            <dd>
              <OpenButton
                dialogId={minutesId}
                className="link"
                aria-label={t`${shownMinutes}, change the reading time`}
              >
                {shownMinutes}
              </OpenButton>
            </dd>
          </div>
          <div>
            <dt>{t`Words`}</dt>
            <dd>
              <Words locale={i18n.locale} />
            </dd>
          </div>
        </dl>
      </section>
      {lesson.state !== 'draft' && <Readers lesson={lesson} facts={facts} />}
      {facts.versions.length > 0 && (
        <section>
          <h2 className={headLook}>{t`Versions`}</h2>
          <ul className="mb-3">
            {facts.versions.slice(0, shownVersions).map((version, at) => (
              <li key={version.id}>
                <a href={`${lessonPaths.versions(id)}?v=${version.id}`}>
                  {versionWords(
                    i18n,
                    version,
                    facts.versions[at - 1]?.words ?? lesson.words,
                    at === facts.versions.length - 1 && at < shownVersions,
                  )}
                </a>
                <time dateTime={version.at} title={longDate(new Date(version.at), i18n.locale)}>
                  {shortDate(new Date(version.at), i18n.locale)}
                </time>
              </li>
            ))}
          </ul>
          {versions > shownVersions && (
            <a className="link" href={lessonPaths.versions(id)}>
              {t`All ${versions} versions`}
            </a>
          )}
        </section>
      )}
    </aside>
  );
}

/** How many people have read it, and what they read. */
function Readers({ lesson, facts }: Omit<LessonPageProps, 'request' | 'files'>) {
  const { t } = useLingui();
  const { readers, cohorts } = facts;
  const { opened = 0, done = 0, gone = 0 } = readers ?? {};
  // Who has left an open run is not counted, but what they have read is.
  const people = Math.max((readers?.people ?? 0) + gone, opened);
  return (
    <section>
      <h2 className={headLook}>{t`Readers`}</h2>
      {people > 0 ? (
        <>
          <p>
            {t`${plural(people, {
              one: `${opened} of # person opened it, ${done} finished it.`,
              other: `${opened} of # people opened it, ${done} finished it.`,
            })}`}
          </p>
          <svg className="mb-2 h-1.5 w-full fill-track forced-color-adjust-none" aria-hidden="true">
            <rect width="100%" height="100%" />
            <rect
              width={`${(opened / people) * 100}%`}
              height="100%"
              className="fill-[color-mix(in_srgb,var(--color-accent)_45%,var(--color-track))]"
            />
            <rect width={`${(done / people) * 100}%`} height="100%" className="fill-accent" />
          </svg>
          {gone > 0 && (
            <p>
              <GoneReaders count={gone} />
            </p>
          )}
        </>
      ) : (
        <p>
          <Trans>No one has opened it yet.</Trans>
        </p>
      )}
      {cohorts > 0 && (
        <p>
          <Plural
            value={cohorts}
            one="# cohort is reading this."
            other="# cohorts are reading this."
          />
        </p>
      )}
      {lesson.state === 'changed' && (
        <p>
          <Trans>They keep reading the published text until you publish the changes.</Trans>
        </p>
      )}
    </section>
  );
}

function writeTexts(i18n: I18n) {
  // Filled in by the browser.
  const [time, day, when, words, reason] = ['{time}', '{day}', '{when}', '{words}', '{reason}'];
  return {
    back: i18n._(msg`Lessons`),
    title: i18n._(msg`Title`),
    ...stateTexts(i18n),
    preview: i18n._(msg`Preview`),
    publish: i18n._(msg`Publish`),
    publishChanges: i18n._(msg`Publish changes`),
    publishing: i18n._(msg`Publishing…`),
    done: i18n._(msg`Lesson published.`),
    empty: i18n._(msg`Write something first`),
    uploading: i18n._(msg`Files are still uploading`),
    untitled: i18n._(validation.lesson_title_required),
    line: {
      saving: i18n._(msg`Saving…`),
      savedAt: i18n._(msg`Saved ${time}`),
      savedOn: i18n._(msg`Saved on ${day}`),
      offline: i18n._(msg`Not saved: offline.`),
      signedOut: i18n._(msg`Not saved: you’re logged out.`),
      kept: i18n._(msg`Your text is kept in this browser.`),
      unkept: i18n._(msg`This browser can’t keep your text, so please leave this page open.`),
      conflict: i18n._(msg`Not saved: changed in another tab`),
      choose: i18n._(msg`Compare`),
      refused: i18n._(msg`Not saved: ${reason}`),
      failed: i18n._(msg`Not saved yet: ${reason}`),
      retry: i18n._(msg`Try again`),
      logIn: i18n._(msg`Log in`),
    },
    conflict: {
      title: i18n._(msg`This lesson was changed in another tab`),
      about: i18n._(
        msg`You have been typing in two places. Both texts are kept under Versions, so nothing is lost. Which one do you want to continue with?`,
      ),
      mine: i18n._(msg`Yours, in this tab`),
      theirs: i18n._(msg`The other one, saved`),
      typedAt: i18n._(msg`Typed at ${time} · ${words} words`),
      savedAt: i18n._(msg`Saved at ${time} · ${words} words`),
      sameWords: i18n._(msg`The words are the same. Only their formatting differs.`),
      nothing: i18n._(msg`There’s nothing here.`),
      keepMine: i18n._(msg`Keep mine`),
      takeTheirs: i18n._(msg`Use the other one`),
      copyMine: i18n._(msg`Copy mine`),
      copied: i18n._(msg`Copied`),
    },
    kept: {
      newer: i18n._(msg`This browser has a newer text (${when}, ${words} words).`),
      unsaved: i18n._(msg`This browser has a text that isn’t saved (${when}, ${words} words).`),
      use: i18n._(msg`Use it`),
      discard: i18n._(msg({ message: 'Discard', context: 'kept text' })),
    },
  };
}
