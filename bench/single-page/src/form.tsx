import { type ComponentProps, createContext, type ReactNode, useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { $ZodType } from 'zod/v4/core';
import { ApiError } from './api.ts';

type Errors = Record<string, string>;
type Schema<Input> = $ZodType<Input> & {
  safeParse(
    values: unknown,
  ):
    | { success: true; data: Input }
    | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
};

const FormContext = createContext<{ errors: Errors; isPending: boolean }>({
  errors: {},
  isPending: false,
});

type FormProps<Input> = {
  schema: () => Promise<Schema<Input>>;
  /** Rejects with the API's error. */
  submit: (input: Input) => Promise<unknown>;
  children: ReactNode;
};

/** A form that is checked by a schema, loaded on submit, and then by the API. */
export function Form<Input>({ schema, submit, children }: FormProps<Input>) {
  const { t } = useTranslation();
  const [errors, setErrors] = useState<Errors>({});
  const [isPending, setIsPending] = useState(false);

  async function check(values: unknown): Promise<void> {
    const checked = (await schema()).safeParse(values);
    if (!checked.success) {
      const found = checked.error.issues.map(({ path, message }) => [String(path[0]), t(message)]);
      setErrors(Object.fromEntries(found.reverse()));
      return;
    }
    setErrors({});
    await submit(checked.data).catch((error) => {
      const fields = error instanceof ApiError ? (error.body?.fields ?? {}) : {};
      setErrors(
        Object.fromEntries(Object.entries(fields).map(([name, [first = '']]) => [name, first])),
      );
    });
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setIsPending(true);
        void check(Object.fromEntries(new FormData(event.currentTarget))).finally(() =>
          setIsPending(false),
        );
      }}
    >
      <FormContext value={{ errors, isPending }}>
        <fieldset disabled={isPending} className="grid gap-6">
          {children}
        </fieldset>
      </FormContext>
    </form>
  );
}

type FieldProps = ComponentProps<'input'> & { id: string; name: string; label: string };

/** A text field with its label and its error. */
export function Field({ label, ...input }: FieldProps) {
  const error = useContext(FormContext).errors[input.name];
  return (
    <div>
      <label htmlFor={input.id} className="label">
        {label}
      </label>
      <input
        className="input"
        aria-invalid={error !== undefined}
        aria-describedby={error && `${input.id}-error`}
        {...input}
      />
      {error && (
        <p id={`${input.id}-error`} className="field-error">
          {error}
        </p>
      )}
    </div>
  );
}

type CourseFieldsProps = {
  /** The prefix of the ids, unique on the page. */
  id: string;
  course?: { name: string; course_type: string };
};

/** Name and type of a course. */
export function CourseFields({ id, course }: CourseFieldsProps) {
  const { t } = useTranslation();
  const error = useContext(FormContext).errors['course_type'];
  return (
    <>
      <Field
        id={`${id}-name`}
        name="name"
        label={t('course.name')}
        autoComplete="off"
        defaultValue={course?.name}
      />
      <fieldset>
        <legend className="label">{t('course.type')}</legend>
        <div className="grid gap-3">
          {(['evergreen', 'cohort'] as const).map((type) => (
            <label key={type} className="choice">
              <input
                type="radio"
                name="course_type"
                value={type}
                defaultChecked={course?.course_type === type}
              />
              <span className="font-semibold">{t(`type.${type}`)}</span>
              <span className="text-sm text-muted">{t(`type.${type}About`)}</span>
            </label>
          ))}
        </div>
        {error && <p className="field-error">{error}</p>}
      </fieldset>
    </>
  );
}

type SubmitProps = { label: string; pending: string; className?: string };

/** Submits its form. */
export function Submit({ label, pending, className = 'button button-primary' }: SubmitProps) {
  const { isPending } = useContext(FormContext);
  return (
    <button type="submit" className={className}>
      {isPending && <span className="spinner" aria-hidden="true" />}
      <span>{isPending ? pending : label}</span>
    </button>
  );
}
