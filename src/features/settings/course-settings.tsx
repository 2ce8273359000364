import { Trans, useLingui } from '@lingui/react/macro';
import { CourseFields } from '#features/courses/course-fields.tsx';
import type { Course } from '#features/courses/schema.ts';
import { formMessages } from '#i18n/validation.ts';
import { apiPaths } from '#paths.ts';
import { Dialog } from '#ui/dialog.tsx';
import { Field, SubmitButton } from '#ui/form.tsx';
import { SettingsSection } from '#ui/settings-section.tsx';
import { DeleteForm } from './delete-form.tsx';
import { SaveForm } from './save-form.tsx';

const deleteDialogId = 'delete-course';

/** What can be set of the selected course. */
export function CourseSettings({ course }: { course: Course }) {
  const { i18n, t } = useLingui();
  const messages = formMessages(i18n);
  const path = apiPaths.course(course.id);
  const name = <strong>{course.name}</strong>;
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
          messages={messages}
          saved={t`Your course is saved.`}
        >
          <CourseFields id="selected-course" course={course} />
          <div>
            <SubmitButton
              label={t`Save`}
              pendingLabel={t`Saving…`}
              className="button button-primary"
            />
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
      <Dialog id={deleteDialogId} title={t`Delete this course?`} close={t`Close`}>
        <p>
          <Trans>The course {name} is deleted at once, and nobody can bring it back.</Trans>
        </p>
        <DeleteForm
          key={course.id}
          path={path}
          expected={course.name}
          messages={messages}
          deleted={t`The course is deleted.`}
          dialogId={deleteDialogId}
        >
          <Field
            id="delete-course-typed"
            label={t`To be sure, type the name of the course`}
            hint={course.name}
            name="typed"
            autoComplete="off"
            spellCheck={false}
            required
          />
          <div className="actions">
            <SubmitButton
              label={t`Delete this course`}
              pendingLabel={t`Deleting…`}
              className="button button-danger"
            />
          </div>
        </DeleteForm>
      </Dialog>
    </>
  );
}
