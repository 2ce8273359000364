import { Trans, useLingui } from '@lingui/react/macro';
import { ChangeButton } from '#features/cohorts/cohort-button.tsx';
import { dayOfYear } from '#lib/time/words.ts';
import { lessonApi } from './lesson-paths.ts';
import type { TrashedLesson } from './list-trash.ts';

/** The lessons in the trash, each with a button that restores it. */
export function TrashList({ lessons }: { lessons: TrashedLesson[] }) {
  const { i18n, t } = useLingui();
  if (lessons.length === 0) {
    return (
      <p className="text-muted">
        <Trans>The trash is empty.</Trans>
      </p>
    );
  }
  return (
    <>
      <p className="text-muted">
        <Trans>
          Lessons are deleted permanently after 30 days here. A restored lesson comes back to where
          it was.
        </Trans>
      </p>
      <ul className="rows">
        {lessons.map(({ id, title, goesAt }) => {
          // In UTC, a day more or less does not matter here.
          const day = <span>{dayOfYear(goesAt.toISOString().slice(0, 10), i18n.locale)}</span>;
          return (
            <li key={id}>
              <div className="person-name flex-[1_1_12rem]">
                <span id={`trashed-${id}`} dir="auto">
                  {title}
                </span>
                <span className="text-muted">
                  <Trans>Deleted permanently on {day}</Trans>
                </span>
              </div>
              <ChangeButton
                path={lessonApi.restore(id)}
                className="button button-small"
                pendingLabel={t`Restoring…`}
                done={t`Lesson restored.`}
                describedBy={`trashed-${id}`}
              >
                <Trans>Restore</Trans>
              </ChangeButton>
            </li>
          );
        })}
      </ul>
    </>
  );
}
