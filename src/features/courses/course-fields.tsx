import { useLingui } from '@lingui/react/macro';
import { Choice, Field } from '#ui/form.tsx';
import { courseTypeNames } from './course-types.ts';

type CourseFieldsProps = {
  /** The prefix of the ids, which are unique on the page. */
  id: string;
  /** Whether the name has the focus at first; see `Field`. */
  takesFocus?: boolean;
};

export function CourseFields({ id, takesFocus = false }: CourseFieldsProps) {
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
          },
          {
            value: 'cohort',
            label: names.cohort,
            description: t`Groups learn together, with fixed start and end dates.`,
          },
        ]}
      />
    </>
  );
}
