'use client';

import type { ComponentProps, ReactNode } from 'react';
import { FieldFrame, useControl } from './form.tsx';

type TextAreaProps = ComponentProps<'textarea'> & {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
};

/** A field for several lines. */
export function TextArea({ label, hint, id, name, defaultValue, ...rest }: TextAreaProps) {
  const control = useControl({ id, name, hint, defaultValue });
  return (
    <FieldFrame control={control} label={label} hint={hint}>
      <textarea {...control} {...rest} />
    </FieldFrame>
  );
}
