import { Trans, useLingui } from '@lingui/react/macro';
import { formMessages } from '#i18n/validation.ts';
import { Dialog } from '#ui/dialog.tsx';
import { SubmitButton } from '#ui/form.tsx';
import { CourseFields } from './course-fields.tsx';
import { NewCourseForm } from './new-course-form.tsx';
import { validation } from './vocabulary.ts';

export const newCourseDialogId = 'new-course';

/** Creates another course, from any page. */
export function NewCourseDialog() {
  const { i18n, t } = useLingui();
  const pendingLabel = t`Creating…`;
  return (
    <Dialog id={newCourseDialogId} title={t`Create a new course`} close={t`Close`}>
      <p className="text-muted">
        <Trans>We’ll switch you to the new course. You can change these settings later.</Trans>
      </p>
      <NewCourseForm
        messages={formMessages(i18n, validation)}
        created={t`Course created and selected.`}
        dialogId={newCourseDialogId}
      >
        {/* Enter presses the first button of a form; here it should be the last one. */}
        <input type="submit" name="button" value="stay" hidden />
        <CourseFields id={newCourseDialogId} />
        <div className="dialog-foot">
          <SubmitButton
            value="continue"
            label={t`create course and continue`}
            pendingLabel={pendingLabel}
            className="button"
          />
          <SubmitButton value="stay" label={t`Create Course`} pendingLabel={pendingLabel} />
        </div>
      </NewCourseForm>
    </Dialog>
  );
}
