'use client';

import type { ComponentProps } from 'react';
import type { Values } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { SaveForm } from '#features/settings/save-form.tsx';

const check = checkBySchema(() => import('./schema.ts').then(({ CoursePatch }) => CoursePatch));

function toInput(values: Values): Record<string, unknown> {
  return { ...values, shows_outline: values['shows_outline'] === 'on' };
}

/** Changes a course. */
export function CourseForm(
  form: Omit<ComponentProps<typeof SaveForm>, 'kind' | 'check' | 'toInput'>,
) {
  return <SaveForm kind="course" check={check} toInput={toInput} {...form} />;
}
