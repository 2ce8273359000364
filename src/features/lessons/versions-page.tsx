import 'server-only';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ComponentProps, Fragment } from 'react';
import type { CourseHue } from '#db/values.ts';
import { blockTexts } from '#features/documents/document-text.ts';
import { LessonText } from '#features/documents/lesson-text.tsx';
import { renderDocument } from '#features/documents/render-document.ts';
import type { ShownFile } from '#features/files/schema.ts';
import { byKey } from '#features/files/shown-file.ts';
import { AppShell } from '#features/shell/app-shell.tsx';
import { longDate, momentInUtc } from '#lib/time/words.ts';
import { Empty } from '#ui/empty.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { type ChangedBlock, diff, diffBlocks, joined, wordsOf } from './diff.ts';
import type { OwnLesson } from './find-lesson.ts';
import type { LessonVersions } from './find-lesson-facts.ts';
import { RestoreButton } from './lesson-actions.tsx';
import { lessonPaths } from './lesson-paths.ts';
import type { LessonVersion, LessonVersionText } from './schema.ts';
import { versionWords } from './version-words.ts';

type VersionsPageProps = {
  request: ComponentProps<typeof AppShell>['request'];
  lesson: OwnLesson;
  versions: LessonVersions;
  files: readonly ShownFile[];
  /** Whether the version is compared with what is there now. */
  showsChanges: boolean;
};

/** What a lesson was before, by day, and one of it to read, compare and restore. */
export function VersionsPage(props: VersionsPageProps) {
  const { request, lesson, versions, files, showsChanges } = props;
  const { t } = useLingui();
  const { id, title } = lesson;
  const isElsewhere = lesson.course_id !== request.course.id;
  const { list, shown } = versions;
  return (
    <AppShell
      request={request}
      current={isElsewhere ? null : lessonPaths.list}
      title={t`Versions`}
      trail={[
        ...(isElsewhere ? [] : [{ to: lessonPaths.list, label: t`Lessons` }]),
        { to: lessonPaths.lesson(id), label: title },
      ]}
    >
      <div className="page-head">
        <h1>{t`Versions`}</h1>
        <p>
          <a className="link" href={lessonPaths.lesson(id)} dir="auto">
            {title}
          </a>
        </p>
      </div>
      {list.length === 0 ? (
        <Empty title={t`No earlier versions yet`}>
          <p>
            <Trans>
              A version is kept when you publish, and every ten minutes while you write.
            </Trans>
          </p>
        </Empty>
      ) : (
        <div className="grid gap-x-14 gap-y-8 @min-[54rem]/page:grid-cols-[15rem_minmax(0,1fr)]">
          <VersionList lesson={lesson} list={list} shownId={shown?.id} />
          {shown === null ? (
            <p className="text-muted">
              <Trans>This version is no longer kept.</Trans>
            </p>
          ) : (
            <Version
              lesson={lesson}
              hue={request.course.hue}
              list={list}
              version={shown}
              files={files}
              showsChanges={showsChanges}
            />
          )}
        </div>
      )}
    </AppShell>
  );
}

type VersionListProps = { lesson: OwnLesson; list: LessonVersion[]; shownId: number | undefined };

function VersionList({ lesson, list, shownId }: VersionListProps) {
  const { i18n, t } = useLingui();
  const { locale } = i18n;
  const days = Map.groupBy(list, ({ at }) => at.slice(0, 10));
  return (
    // A long list is not before what is chosen from it.
    <nav
      aria-label={t`Versions`}
      className="version-list grid content-start gap-6 @max-[54rem]/page:max-h-72 @max-[54rem]/page:overflow-y-auto"
    >
      {[...days].map(([day, versions]) => (
        <section key={day}>
          <h2 className="pb-1 font-sans text-sm tracking-normal text-muted">
            {longDate(new Date(day), locale)}
          </h2>
          <ul>
            {versions.map((version) => (
              <li key={version.id}>
                <a
                  href={`${lessonPaths.versions(lesson.id)}?v=${version.id}`}
                  aria-current={version.id === shownId || undefined}
                >
                  <span>{nameOf(version)}</span>
                  {/* The time last, because it comes with the scripts. */}
                  <small className="block text-[0.8125rem] font-normal text-muted">
                    <Plural value={version.words} one="# word" other="# words" />
                    {' · '}
                    <LocalTime
                      at={version.at}
                      locale={locale}
                      inUtc={momentInUtc(new Date(version.at), locale)}
                    />
                  </small>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );

  function nameOf(version: LessonVersion): string {
    const at = list.indexOf(version);
    return versionWords(i18n, version, list[at - 1]?.words ?? lesson.words, at === list.length - 1);
  }
}

type VersionProps = {
  lesson: OwnLesson;
  hue: CourseHue;
  list: LessonVersion[];
  version: LessonVersionText;
  files: readonly ShownFile[];
  showsChanges: boolean;
};

function Version({ lesson, hue, list, version, files, showsChanges }: VersionProps) {
  const { i18n, t } = useLingui();
  const at = list.findIndex(({ id }) => id === version.id);
  const name = versionWords(
    i18n,
    version,
    list[at - 1]?.words ?? lesson.words,
    at === list.length - 1,
  );
  const address = `${lessonPaths.versions(lesson.id)}?v=${version.id}`;
  return (
    <section aria-labelledby="version" className="min-w-0">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 pb-6">
        <div className="flex-[1_1_8rem]">
          <h2 id="version" className="font-sans text-base tracking-normal">
            {name}
          </h2>
          <p className="text-muted text-sm">
            <LocalTime
              at={version.at}
              locale={i18n.locale}
              inUtc={momentInUtc(new Date(version.at), i18n.locale)}
            />
          </p>
        </div>
        <nav className="segments" aria-label={t`How it is shown`}>
          <a href={address} aria-current={!showsChanges || undefined}>
            <Trans>Text</Trans>
          </a>
          <a href={`${address}&show=changes`} aria-current={showsChanges || undefined}>
            <Trans>Changes since then</Trans>
          </a>
        </nav>
        <RestoreButton
          id={lesson.id}
          version={version.id}
          className="button"
          pendingLabel={t`Restoring…`}
          done={t`Version restored. The previous text is kept under Versions.`}
        >
          <Trans>Restore this version</Trans>
        </RestoreButton>
      </div>
      {showsChanges ? (
        <Changes version={version} lesson={lesson} />
      ) : (
        <>
          <p className="pb-4 font-serif text-4xl/11 font-semibold wrap-anywhere" dir="auto">
            {version.title}
          </p>
          <LessonText html={renderDocument(version.document)} hue={hue} files={byKey(files)} />
        </>
      )}
    </section>
  );
}

type ChangesProps = Record<'version' | 'lesson', Pick<LessonVersionText, 'title' | 'document'>>;

/** What was changed since a version, word by word. Blocks that stayed are counted. */
function Changes({ version, lesson }: ChangesProps) {
  const textsOf = ({ title, document }: ChangesProps['version']) => [
    title,
    ...blockTexts(document),
  ];
  const blocks = diffBlocks(textsOf(version), textsOf(lesson));
  if (blocks.every(({ before, after }) => before === after)) {
    return (
      <p className="text-muted">
        <Trans>The words haven’t changed since then.</Trans>
      </p>
    );
  }
  return (
    <div className="reading changes">
      {runsOf(blocks).map((run, at) => {
        const same = run.filter(({ before, after }) => before === after).length;
        return same > 0 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key.
          <p key={at} className="text-[0.875rem] text-muted">
            <Plural value={same} one="# paragraph unchanged" other="# paragraphs unchanged" />
          </p>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key.
          <ChangedBlocks key={at} blocks={run} />
        );
      })}
    </div>
  );
}

function ChangedBlocks({ blocks }: { blocks: ChangedBlock[] }) {
  return blocks.map(({ before, after }, block) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key.
    <p key={block} dir="auto">
      {joined(diff(wordsOf(before ?? ''), wordsOf(after ?? ''))).map(({ kind, text }, word) => {
        const Tag = { same: Fragment, removed: 'del', added: 'ins' } as const;
        const Kind = Tag[kind];
        // biome-ignore lint/suspicious/noArrayIndexKey: the words of a text have no other key.
        return <Kind key={word}>{text}</Kind>;
      })}
    </p>
  ));
}

/** Blocks that follow each other and are all the same as before, or all changed. */
function runsOf(blocks: ChangedBlock[]): ChangedBlock[][] {
  const runs: ChangedBlock[][] = [];
  for (const block of blocks) {
    const last = runs.at(-1)?.at(-1);
    const isSame = block.before === block.after;
    if (last !== undefined && (last.before === last.after) === isSame) {
      runs.at(-1)?.push(block);
    } else {
      runs.push([block]);
    }
  }
  return runs;
}
