'use client';

import { type ComponentProps, type ReactNode, useContext } from 'react';
import { FormContext } from '#ui/form.tsx';

/** What a box to check sends. */
const [on, off] = ['on', 'off'];

type FieldBase = { id?: string; name: string; label: ReactNode; hint?: ReactNode };

type TextAreaProps = FieldBase & ComponentProps<'textarea'>;

/** A field for several lines. */
export function TextArea({ label, hint, id, name, defaultValue, ...rest }: TextAreaProps) {
  const { errorOf, sentValue } = useContext(FormContext);
  const fieldId = id ?? name;
  const error = errorOf(name);
  return (
    <div className="field">
      <label htmlFor={fieldId} className="label">
        {label}
      </label>
      <textarea
        id={fieldId}
        name={name}
        className="input"
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(fieldId, hint, error)}
        defaultValue={sentValue(name) ?? defaultValue}
        {...rest}
      />
      <Notes id={fieldId} hint={hint} error={error} />
    </div>
  );
}

type SelectProps = FieldBase & { defaultValue?: string; children: ReactNode };

/** A native select. */
export function Select({ label, hint, id, name, defaultValue, children }: SelectProps) {
  const { errorOf, sentValue } = useContext(FormContext);
  const fieldId = id ?? name;
  const error = errorOf(name);
  const chosen = sentValue(name) ?? defaultValue;
  return (
    <div className="field">
      <label htmlFor={fieldId} className="label">
        {label}
      </label>
      <select
        // A select that is reset forgets what was chosen.
        key={chosen}
        id={fieldId}
        name={name}
        className="input"
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(fieldId, hint, error)}
        defaultValue={chosen}
      >
        {children}
      </select>
      <Notes id={fieldId} hint={hint} error={error} />
    </div>
  );
}

type CheckProps = FieldBase & { defaultChecked: boolean };

/** A box to check. The form sends that it is not checked, too. */
export function Check({ label, hint, id, name, defaultChecked }: CheckProps) {
  const { sentValue } = useContext(FormContext);
  const fieldId = id ?? name;
  const sent = sentValue(name);
  return (
    <div className="check">
      <input type="hidden" name={name} value={off} />
      <input
        id={fieldId}
        type="checkbox"
        name={name}
        value={on}
        aria-describedby={describedBy(fieldId, hint)}
        defaultChecked={sent === undefined ? defaultChecked : sent === on}
      />
      <label htmlFor={fieldId}>{label}</label>
      <Notes id={fieldId} hint={hint} />
    </div>
  );
}

function describedBy(id: string, hint: ReactNode, error?: string): string | undefined {
  return [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
}

type NotesProps = { id: string; hint?: ReactNode; error?: string | undefined };

function Notes({ id, hint, error }: NotesProps) {
  return (
    <>
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p className="field-error">
          <span id={`${id}-error`}>{error}</span>
        </p>
      )}
    </>
  );
}
