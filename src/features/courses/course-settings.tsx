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
        description={t`Students will see the name. The type says when they can start.`}
      >
        <SaveForm
          // A new form for another course.
          key={course.id}
          kind="course"
          path={path}
          messages={formMessages(i18n)}
          saved={t`Your course is saved.`}
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
        description={t`At once and for good. Your other courses stay.`}
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
        deleted={t`The course is deleted.`}
        question={t`To be sure, type the name of the course`}
        confirm={t`Delete this course`}
      >
        <Trans>The course {name} is deleted at once, and nobody can bring it back.</Trans>
      </DeleteDialog>
    </>
  );
}
