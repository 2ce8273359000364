import { Trans, useLingui } from '@lingui/react/macro';
import { DeleteDialog } from '#features/settings/delete-dialog.tsx';
import { SaveForm } from '#features/settings/save-form.tsx';
import { formMessages } from '#i18n/validation.ts';
import { apiPaths } from '#paths.ts';
import { SubmitButton } from '#ui/form.tsx';
import { SettingsSection } from '#ui/settings-section.tsx';
import { CourseFields } from './course-fields.tsx';
import type { Course } from './schema.ts';

const deleteDialogId = 'delete-course';

export function CourseSettings({ course }: { course: Course }) {
  const { i18n, t } = useLingui();
  const path = apiPaths.course(course.id);
  const name = <strong dir="auto">{course.name}</strong>;
  return (
    <>
      <SettingsSection
        id="course"
        title={t`Name and type`}
        description={t`Students see the name. The type determines when they can start.`}
      >
        <SaveForm
          // A new form for another course.
          key={course.id}
          kind="course"
          path={path}
          messages={formMessages(i18n)}
          saved={t`Course saved.`}
        >
          <CourseFields id="selected-course" course={course} />
          <div>
            <SubmitButton label={t`Save`} pendingLabel={t`Saving…`} />
          </div>
        </SaveForm>
      </SettingsSection>
      <SettingsSection
        id="delete-this-course"
        title={t`Delete this course`}
        description={t`Permanently deletes this course. Your other courses aren’t affected.`}
      >
        <div>
          <button
            type="button"
            className="button button-danger"
            command="show-modal"
            commandfor={deleteDialogId}
          >
            <span className="icon icon-trash" />
            <Trans>Delete this course</Trans>
          </button>
        </div>
      </SettingsSection>
      <DeleteDialog
        id={deleteDialogId}
        title={t`Delete this course?`}
        path={path}
        expected={course.name}
        deleted={t`Course deleted.`}
        question={t`Type the course name to confirm`}
        confirm={t`Delete this course`}
      >
        <Trans>This permanently deletes {name}. It can’t be undone.</Trans>
      </DeleteDialog>
    </>
  );
}
