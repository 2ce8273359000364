'use client';

import { type ReactNode, useContext } from 'react';
import { FieldMessage, FormContext } from './form.tsx';

/** A box to check, without which a form is not sent; the form says so. */
export function AgreeBox({ name, label }: { name: string; label: ReactNode }) {
  const { errorOf, sentValue } = useContext(FormContext);
  const error = errorOf(name);
  return (
    <div className="check">
      <input
        id={name}
        type="checkbox"
        name={name}
        required
        aria-invalid={error !== undefined}
        aria-describedby={error && `${name}-error`}
        defaultChecked={sentValue(name) !== undefined}
      />
      <label htmlFor={name}>{label}</label>
      <FieldMessage id={`${name}-error`} error={error} />
    </div>
  );
}
