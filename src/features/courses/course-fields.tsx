import { useLingui } from '@lingui/react/macro';
import { Choice, Field } from '#ui/form.tsx';
import { courseTypeNames } from './course-types.ts';

/** The fields of a course, whose ids begin with that given. */
export function CourseFields({ id, takesFocus = false }: { id: string; takesFocus?: boolean }) {
  const { i18n, t } = useLingui();
  const names = courseTypeNames(i18n);
  return (
    <>
      <Field
        id={`${id}-name`}
        label={t`Course name`}
        name="name"
        autoComplete="off"
        required
        takesFocus={takesFocus}
      />
      <Choice
        id={`${id}-type`}
        legend={t`Course type`}
        name="course_type"
        options={[
          {
            value: 'evergreen',
            label: names.evergreen,
            description: t`Students enroll and start at any time and go at their own pace, without deadlines.`,
            hint: t`You write lessons and open enrollment once. Lessons can open step by step, and you see who is stuck.`,
          },
          {
            value: 'cohort',
            label: names.cohort,
            description: t`Groups learn together, with fixed start and end dates.`,
            hint: t`You set dates and live sessions for each group, with lessons if you like.`,
          },
        ]}
      />
    </>
  );
}
