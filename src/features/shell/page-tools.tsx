import { useLingui } from '@lingui/react/macro';
import { FailureDialog } from '#client/failure-dialog.tsx';
import { failureTexts } from '#i18n/failures.ts';
import { Behavior } from '#ui/behavior.tsx';
import { Toasts } from '#ui/toast.tsx';

/** What every signed-in page has beside its content: error dialog, toasts, keyboard, tooltips. */
export function PageTools() {
  const { i18n, t } = useLingui();
  return (
    <>
      <FailureDialog texts={failureTexts(i18n)} />
      <Toasts close={t`Close`} />
      <Behavior />
    </>
  );
}
