'use client';

import type { ComponentProps } from 'react';
import { checkBySchema } from '#client/check-by-schema.ts';
import { SaveForm } from '#features/settings/save-form.tsx';

const check = checkBySchema(() => import('./schema.ts').then(({ CoursePatch }) => CoursePatch));

/** Changes a course. */
export function CourseForm(form: Omit<ComponentProps<typeof SaveForm>, 'kind' | 'check'>) {
  return <SaveForm kind="course" check={check} {...form} />;
}
