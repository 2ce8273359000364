'use client';

import type { ComponentProps } from 'react';
import { checkBySchema } from '#client/check-by-schema.ts';
import { DialogForm } from '#client/dialog-form.tsx';
import { mayLoseChanges } from '#client/unsaved.ts';

const check = checkBySchema(() =>
  import('./schema.ts').then(({ CourseCopyInput }) => CourseCopyInput),
);

type Path = `/api/courses/${string}/duplicate/`;
type DuplicateCourseFormProps = Omit<ComponentProps<typeof DialogForm<Path>>, 'check'>;

/** Copies a course, and shows the settings of the copy, which is selected. */
export function DuplicateCourseForm(props: DuplicateCourseFormProps) {
  return <DialogForm<Path> {...props} check={check} mayStart={() => mayLoseChanges('course')} />;
}
