import { Field } from '#ui/form.tsx';

/** The field for an address of someone without an account. */
export function EmailField({ label }: { label: string }) {
  return (
    <Field
      name="email"
      label={label}
      type="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      required
    />
  );
}
