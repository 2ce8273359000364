type SubmitButtonProps = {
  label: string;
  /** Shown while the form is on its way. */
  pendingLabel: string;
  isPending: boolean;
};

/** The one primary button of a form. */
export function SubmitButton({ label, pendingLabel, isPending }: SubmitButtonProps) {
  return (
    <button type="submit" disabled={isPending} className="button button-primary w-full">
      {isPending && <span className="spinner" aria-hidden="true" />}
      {isPending ? pendingLabel : label}
    </button>
  );
}
