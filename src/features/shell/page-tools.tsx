import { useLingui } from '@lingui/react/macro';
import { FailureDialog } from '#client/failure-dialog.tsx';
import { failureTexts } from '#i18n/failures.ts';
import { Behaviour } from '#ui/behaviour.tsx';
import { Toasts } from '#ui/toast.tsx';

/** What every signed-in page has besides its content: the error dialog, toasts, keyboard and tooltips. */
export function PageTools() {
  const { i18n, t } = useLingui();
  return (
    <>
      <FailureDialog texts={failureTexts(i18n)} />
      <Toasts close={t`Close`} />
      <Behaviour />
    </>
  );
}
