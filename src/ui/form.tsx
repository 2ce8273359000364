'use client';

import { type ComponentProps, createContext, type ReactNode, useContext } from 'react';
import { BusyLabels } from './busy-labels.tsx';

type FormState = {
  isPending: boolean;
  submittedBy: string | null;
  errorOf: (name: string) => string | undefined;
  /** The submitted value of each field, to fill it again. */
  sentValue: (name: string) => string | undefined;
};

export const FormContext = createContext<FormState>({
  isPending: false,
  submittedBy: null,
  errorOf: () => undefined,
  sentValue: () => undefined,
});

type FieldProps = ComponentProps<'input'> & {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  /** Unique on the page; the name, where that is unique. */
  id?: string;
};

/** A text field with its label, hint and error. */
export function Field({ label, hint, id, defaultValue, ...input }: FieldProps) {
  const { errorOf, sentValue } = useContext(FormContext);
  const inputId = id ?? input.name;
  const error = errorOf(input.name);
  const describedBy = [hint && `${inputId}-hint`, error && `${inputId}-error`].filter(Boolean);
  return (
    <div>
      <label htmlFor={inputId} className="label">
        {label}
      </label>
      <input
        id={inputId}
        className="input"
        aria-invalid={error !== undefined}
        aria-describedby={describedBy.join(' ') || undefined}
        defaultValue={sentValue(input.name) ?? defaultValue}
        {...input}
      />
      {hint && (
        <p id={`${inputId}-hint`} className="hint">
          {hint}
        </p>
      )}
      <FieldError id={`${inputId}-error`} error={error} />
    </div>
  );
}

type ChoiceProps = {
  /** Unique on the page. */
  id: string;
  name: string;
  legend: string;
  options: { value: string; label: string; description: string }[];
  defaultValue?: string;
};

/** A choice of a few options, each with an explanation. */
export function Choice({ id, name, legend, options, defaultValue }: ChoiceProps) {
  const { errorOf, sentValue } = useContext(FormContext);
  const error = errorOf(name);
  const chosen = sentValue(name) ?? defaultValue;
  return (
    <fieldset aria-describedby={error && `${id}-error`}>
      <legend className="label">{legend}</legend>
      <div className="grid gap-2">
        {options.map(({ value, label, description }) => (
          <label key={value} className="choice">
            <input
              type="radio"
              name={name}
              value={value}
              required
              aria-invalid={error !== undefined}
              defaultChecked={chosen === value}
            />
            <span className="font-semibold">{label}</span>
            <span className="text-sm text-muted">{description}</span>
          </label>
        ))}
      </div>
      <FieldError id={`${id}-error`} error={error} />
    </fieldset>
  );
}

type SubmitButtonProps = {
  label: string;
  pendingLabel: string;
  /** Tells the form which button submitted it, where there are several. */
  value?: string;
  className?: string;
  /** Because there is nothing to send. */
  isDisabled?: boolean;
};

/** Submits the form around it. */
export function SubmitButton(props: SubmitButtonProps) {
  const { label, pendingLabel, value, className = 'button button-primary', isDisabled } = props;
  const { isPending, submittedBy } = useContext(FormContext);
  const isBusy = isPending && submittedBy === (value ?? null);
  return (
    <button
      type="submit"
      name={value && 'button'}
      value={value}
      disabled={isPending || isDisabled}
      data-busy={isBusy || undefined}
      className={className}
    >
      <BusyLabels isBusy={isBusy} busyLabel={pendingLabel}>
        <span className="sentence">{label}</span>
      </BusyLabels>
    </button>
  );
}

function FieldError({ id, error }: { id: string; error: string | undefined }) {
  return error === undefined ? null : (
    <p id={id} className="field-error">
      {error}
    </p>
  );
}
