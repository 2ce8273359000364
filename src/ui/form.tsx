'use client';

import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
} from 'react';
import { BusyLabels } from './busy-labels.tsx';
import { focusOnDesk } from './typed-fields.ts';

type FormState = {
  isPending: boolean;
  submittedBy: string | null;
  errorOf: (name: string) => string | undefined;
  /** What the page adds to the error of a field. */
  noteOf: (name: string) => ReactNode;
  /** The error of the form as a whole. */
  problem: ReactNode;
  /** The submitted value of each field, to fill it again. */
  sentValue: (name: string) => string | undefined;
};

export const FormContext = createContext<FormState>({
  isPending: false,
  submittedBy: null,
  errorOf: () => undefined,
  noteOf: () => null,
  problem: null,
  sentValue: () => undefined,
});

type FieldProps = ComponentProps<'input'> & {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  /** Unique on the page; the name, where that is unique. */
  id?: string;
  /** Whether it has the focus at first, where no keyboard covers the page. */
  takesFocus?: boolean;
};

/** A text field with its label, hint and error. */
export function Field({ label, hint, id, defaultValue, takesFocus, ...input }: FieldProps) {
  const inputRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Not by `autofocus`, which phones follow too. A focus that is already elsewhere stays there.
    if (takesFocus && document.activeElement === document.body) {
      focusOnDesk(inputRef.current);
    }
  }, [takesFocus]);
  const control = useControl({ id, name: input.name, hint, defaultValue });
  return (
    <FieldFrame control={control} label={label} hint={hint}>
      <input ref={inputRef} {...control} {...input} />
    </FieldFrame>
  );
}

type ControlProps<Value> = {
  id: string | undefined;
  name: string;
  hint: ReactNode;
  defaultValue: Value;
};

/** The attributes of a field's control, by which its label, hint and error are found. */
export function useControl<Value>({ id, name, hint, defaultValue }: ControlProps<Value>) {
  const { errorOf, sentValue } = useContext(FormContext);
  const controlId = id ?? name;
  const error = errorOf(name);
  const describedBy = [hint && `${controlId}-hint`, error && `${controlId}-error`].filter(Boolean);
  return {
    id: controlId,
    name,
    className: 'input',
    defaultValue: sentValue(name) ?? defaultValue,
    'aria-invalid': error !== undefined,
    'aria-describedby': describedBy.join(' ') || undefined,
  };
}

type FieldFrameProps = Pick<FieldProps, 'label' | 'hint'> & {
  control: { id: string; name: string };
  children: ReactNode;
};

/** The label before a control, and the hint and the error after it. */
export function FieldFrame({ control: { id, name }, label, hint, children }: FieldFrameProps) {
  const { errorOf, noteOf } = useContext(FormContext);
  return (
    <div className="field">
      <label htmlFor={id} className="label">
        {label}
      </label>
      {children}
      <Hint id={id}>{hint}</Hint>
      <FieldMessage id={`${id}-error`} error={errorOf(name)} note={noteOf(name)} />
    </div>
  );
}

/** Explains a control. */
export function Hint({ id, children }: { id: string; children: ReactNode }) {
  return (
    children && (
      <p id={`${id}-hint`} className="hint">
        {children}
      </p>
    )
  );
}

type ChoiceProps = {
  /** Unique on the page. */
  id: string;
  name: string;
  legend: string;
  options: {
    value: string;
    label: string;
    description: string;
    hint?: string;
    isDisabled?: boolean;
  }[];
  defaultValue?: string;
};

/** A choice of a few options, each with an explanation. */
export function Choice({ id, name, legend, options, defaultValue }: ChoiceProps) {
  const { errorOf, sentValue } = useContext(FormContext);
  const error = errorOf(name);
  const chosen = sentValue(name) ?? defaultValue;
  return (
    <fieldset className="field" aria-describedby={error && `${id}-error`}>
      <legend className="label">{legend}</legend>
      <div className="grid gap-2">
        {options.map(({ value, label, description, hint, isDisabled }) => (
          <label key={value} className="choice">
            <input
              type="radio"
              name={name}
              value={value}
              required
              disabled={isDisabled}
              aria-invalid={error !== undefined}
              defaultChecked={chosen === value}
            />
            <span className="font-semibold">{label}</span>
            <span className="text-sm text-muted">
              {description}
              {hint !== undefined && <span className="block">{hint}</span>}
            </span>
          </label>
        ))}
      </div>
      <FieldMessage id={`${id}-error`} error={error} />
    </fieldset>
  );
}

type SubmitButtonProps = {
  label: string;
  pendingLabel: string;
  /** Tells the form which button submitted it, where there are several. */
  value?: string;
  className?: string;
  /** Because there is nothing to send yet. */
  isDisabled?: boolean | undefined;
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

/** Where the form says what is wrong with it as a whole. */
export function FormProblem() {
  const { problem } = useContext(FormContext);
  return (
    <div role="alert" className="form-problem">
      {problem}
    </div>
  );
}

type FieldMessageProps = { id: string; error: string | undefined; note?: ReactNode };

/** What is wrong with a field, below it. */
export function FieldMessage({ id, error, note }: FieldMessageProps) {
  return error === undefined ? null : (
    <p className="field-error">
      <span id={id}>{error}</span>
      {note && <> {note}</>}
    </p>
  );
}
