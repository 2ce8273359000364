import type { ComponentProps } from 'react';

type FieldProps = ComponentProps<'input'> & {
  name: string;
  label: string;
  /** What is wrong with the value, in the reader's language. */
  error: string | undefined;
};

/** A text field with its label, and its error tied to it. */
export function Field({ label, error, ...input }: FieldProps) {
  const errorId = `${input.name}-error`;
  return (
    <div>
      <label htmlFor={input.name} className="mb-1 block font-semibold">
        {label}
      </label>
      <input
        id={input.name}
        className="input"
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : errorId}
        {...input}
      />
      <FieldError id={errorId} error={error} />
    </div>
  );
}

export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  return error === undefined ? null : (
    <p id={id} className="mt-1 text-sm text-danger">
      {error}
    </p>
  );
}
