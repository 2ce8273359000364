import { useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { validation as ofCohorts } from '#features/cohorts/vocabulary.ts';
import { DownloadDialog } from '#features/content-files/download-dialog.tsx';
import { findDrop } from '#features/lessons/find-drop.ts';
import { findOutline } from '#features/lessons/find-outline.ts';
import { lessonPaths } from '#features/lessons/lesson-paths.ts';
import { Outline } from '#features/lessons/outline.tsx';
import { EmptyOutline, OutlineHead, ProgressOf } from '#features/lessons/outline-head.tsx';
import {
  dropWords,
  openingCohort,
  outlineTexts,
  shownSections,
} from '#features/lessons/outline-texts.ts';
import { validation } from '#features/lessons/vocabulary.ts';
import { AppShell } from '#features/shell/app-shell.tsx';
import { formMessages } from '#i18n/validation.ts';
import { requireCourse } from '#page-request.ts';

const { date_required, date_invalid } = ofCohorts;
const outlineValidation = { ...validation, date_required, date_invalid };

export default async function LessonsPage({ query }: PageProps<'/lessons'>) {
  const request = await requireCourse({
    outline: findOutline(new URLSearchParams(query).get('cohort')),
  });
  const { i18n, t } = useLingui();
  const { course, answers } = request;
  const isEvergreen = course.course_type === 'evergreen';
  const texts = outlineTexts(i18n, isEvergreen);
  const { content, opened, trashCount, progress: ofCohort } = answers.outline;
  const lessons = content.sections.flatMap((section) => section.lessons);
  const isEmpty = lessons.length === 0 && content.sections.every(({ title }) => title === null);
  const progress = isEmpty ? null : ofCohort;
  // No one is in an open run that has just opened; a cohort can be chosen before.
  const isFollowed = progress !== null && (progress.cohort.kind === 'dated' || progress.people > 0);
  const published = lessons.filter(({ state }) => state !== 'draft');
  const drop =
    progress &&
    findDrop(
      published.map(({ id }) => id),
      progress.counts,
    );
  const titleOf = (id: string) => lessons.find((one) => one.id === id)?.title ?? '';
  return (
    <AppShell request={request} current={lessonPaths.list} title={t`Lessons`}>
      <Outline
        // Another course has other lessons, and nothing that is typed here belongs to it.
        key={course.id}
        courseId={course.id}
        sections={
          isEmpty
            ? []
            : shownSections(i18n, content.sections, {
                isEvergreen,
                progress,
                opened,
                now: request.ctx.now(),
              })
        }
        drop={drop && { ...drop, words: dropWords(i18n, drop, titleOf(drop.after)) }}
        cohort={progress && openingCohort(i18n, progress)}
        messages={formMessages(i18n, outlineValidation)}
        texts={texts}
        head={
          <OutlineHead
            course={course.name}
            lessons={lessons}
            sectionCount={isEmpty ? 0 : content.sections.length}
            trashCount={trashCount}
            drop={drop && { stopped: drop.finished - drop.opened, title: titleOf(drop.after) }}
          />
        }
        progress={isFollowed && <ProgressOf {...progress} />}
        empty={<EmptyOutline />}
      />
      <DownloadDialog
        key={`download ${course.id}`}
        course={course}
        hasLessons={lessons.length > 0}
      />
    </AppShell>
  );
}
