'use client';

import type { ComponentProps } from 'react';
import { DialogForm } from '#client/dialog-form.tsx';

type Path = `/api/courses/${string}/files/${string}/`;
type DeleteFileFormProps = Omit<ComponentProps<typeof DialogForm<Path, 'DELETE'>>, 'method'>;

/** Deletes a file after a question. */
export function DeleteFileForm(props: DeleteFileFormProps) {
  return <DialogForm<Path, 'DELETE'> {...props} method="DELETE" isDangerous />;
}
