import { Trans, useLingui } from '@lingui/react/macro';
import { sectionIds } from '#features/settings/section-ids.ts';
import { apiPaths } from '#paths.ts';
import { Dialog, OpenButton } from '#ui/dialog.tsx';
import { SettingsSection } from '#ui/settings-section.tsx';
import { CourseFields } from './course-fields.tsx';
import { DuplicateCourseForm } from './duplicate-course-form.tsx';
import { courseMessages } from './form-messages.ts';
import type { Course } from './schema.ts';

const dialogId = 'duplicate-course';
/** How long the name of a course can be. */
const maxName = 254;

/** The section and the dialog that copy a course. */
export function DuplicateCourse({ course }: { course: Course }) {
  const { i18n, t } = useLingui();
  const suffix = ` ${t`(copy)`}`;
  const name = `${course.name.slice(0, maxName - suffix.length).trimEnd()}${suffix}`;
  return (
    <SettingsSection
      id={sectionIds.duplicateCourse}
      title={t`Duplicate this course`}
      description={t`Copies the sections, lessons, files and picture to a new course. People and enrollment settings aren’t copied.`}
    >
      <OpenButton dialogId={dialogId} className="button">
        <span className="icon icon-copy" />
        <Trans>Duplicate…</Trans>
      </OpenButton>
      <Dialog id={dialogId} title={t`Duplicate this course`}>
        <p className="text-muted">
          <Trans>
            Drafts stay drafts, and published lessons are published in the copy too. We’ll switch
            you to the copy.
          </Trans>
        </p>
        <DuplicateCourseForm
          // A new form for another course.
          key={course.id}
          path={`${apiPaths.course(course.id)}duplicate/`}
          dialogId={dialogId}
          messages={courseMessages(i18n)}
          initialValues={{ name, course_type: course.course_type }}
          texts={{ submit: t`Duplicate course`, submitting: t`Duplicating…`, cancel: t`Cancel` }}
          done={t`Course duplicated and selected.`}
          refusals={['too_many_lessons_in_all']}
        >
          <CourseFields id={dialogId} />
        </DuplicateCourseForm>
      </Dialog>
    </SettingsSection>
  );
}
