'use client';

import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { useRouter } from 'waku';
import { useApiForm } from '#api/use-api-form.ts';
import { apiPaths, paths } from '#paths.ts';
import { Alert } from '#ui/alert.tsx';
import { Field, FieldError } from '#ui/field.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { CourseTypeName } from './course-type-name.tsx';
import { type Course, CourseInput } from './schema.ts';

/** Makes the first course and goes home. */
export function FirstCourseForm() {
  const { t } = useLingui();
  const { push } = useRouter();
  const form = useApiForm<Course>(CourseInput, apiPaths.courses);
  const isCreated = form.data !== null;
  useEffect(() => {
    if (isCreated) {
      // A whole new document does what the router could not.
      push(paths.home).catch(() => window.location.assign(paths.home));
    }
  }, [isCreated, push]);

  const isPending = form.isPending || isCreated;
  const courseType = form.field('course_type');
  const types = [
    {
      value: 'evergreen',
      name: <CourseTypeName type="evergreen" />,
      description: t`Students enroll and start at any time and go at their own pace, without deadlines.`,
    },
    {
      value: 'cohort',
      name: <CourseTypeName type="cohort" />,
      description: t`Groups learn together, with fixed start and end dates.`,
    },
  ];
  return (
    <form {...form.props} noValidate>
      <Alert>
        {form.problem && (
          <>
            {form.problem}{' '}
            {form.code === 'unauthenticated' && (
              <a href={paths.login} className="link">
                <Trans>Log in</Trans>
              </a>
            )}
          </>
        )}
      </Alert>
      <fieldset disabled={isPending} className="grid gap-6">
        <Field
          label={t`Course name`}
          name="name"
          autoComplete="off"
          required
          {...form.field('name')}
        />
        <fieldset aria-describedby={courseType.error && 'course_type-error'}>
          <legend className="mb-1 font-semibold">{t`Course type`}</legend>
          <div className="grid gap-3">
            {types.map((type) => (
              <label key={type.value} className="choice">
                <input
                  type="radio"
                  name="course_type"
                  value={type.value}
                  required
                  aria-invalid={courseType.error !== undefined}
                  defaultChecked={courseType.defaultValue === type.value}
                />
                <span className="font-semibold">{type.name}</span>
                <span className="text-sm text-muted">{type.description}</span>
              </label>
            ))}
          </div>
          <FieldError id="course_type-error" error={courseType.error} />
        </fieldset>
        <SubmitButton
          label={t`Create Course`}
          pendingLabel={t`Creating your course…`}
          isPending={isPending}
        />
      </fieldset>
    </form>
  );
}
