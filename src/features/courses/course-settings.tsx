import { Plural, useLingui } from '@lingui/react/macro';
import { sectionIds } from '#features/settings/section-ids.ts';
import { formMessages } from '#i18n/validation.ts';
import { apiPaths } from '#paths.ts';
import { SettingsSection } from '#ui/settings-section.tsx';
import { CourseFields } from './course-fields.tsx';
import { CourseForm } from './course-form.tsx';
import type { Course } from './schema.ts';
import { validation } from './vocabulary.ts';

/** The settings of the selected course. */
export function CourseSettings({ course, cohortCount }: { course: Course; cohortCount: number }) {
  const { i18n, t } = useLingui();
  const { name, course_type } = course;
  return (
    <SettingsSection
      id={sectionIds.course}
      title={t`Name and type`}
      description={t`Students see the name. The type determines when they can start.`}
      note={
        cohortCount > 0 && (
          <Plural
            value={cohortCount}
            one="This course has # cohort. An evergreen course keeps the cohorts it has, and gets no new ones."
            other="This course has # cohorts. An evergreen course keeps the cohorts it has, and gets no new ones."
          />
        )
      }
    >
      <CourseForm
        // A new form for another course.
        key={course.id}
        path={apiPaths.course(course.id)}
        messages={formMessages(i18n, validation)}
        stored={{ name, course_type }}
        texts={{
          save: t`Save changes`,
          saving: t`Saving…`,
          unsaved: t`Not saved yet`,
          saved: t`Course saved.`,
        }}
      >
        <CourseFields id="selected-course" />
      </CourseForm>
    </SettingsSection>
  );
}
