import { Trans, useLingui } from '@lingui/react/macro';
import { keptTextsDialogId } from '#client/kept-texts.ts';
import { ShowFailures } from '#client/show-failures.tsx';
import { Conveniences } from '#features/frames/conveniences.tsx';
import type { Viewer } from '#features/identity/find-actor.ts';
import { failureTexts } from '#i18n/failures.ts';
import { Behavior } from '#ui/behavior.tsx';
import { CloseButton, Dialog } from '#ui/dialog.tsx';
import { Toasts } from '#ui/toast.tsx';
import { OtherTabs } from './other-tabs.tsx';

/** What every signed-in page has beside its content, and what no one sees. */
export function PageTools({ viewer }: { viewer: Pick<Viewer, 'id'> }) {
  const { i18n, t } = useLingui();
  return (
    <>
      <ShowFailures texts={failureTexts(i18n)} viewerId={viewer.id} />
      <Toasts close={t`Close`} />
      <OtherTabs viewerId={viewer.id} />
      <Behavior />
      <Conveniences />
      <KeptTextsDialog />
    </>
  );
}

/** Asks before a logout deletes what only this browser has; see client/kept-texts.ts. */
function KeptTextsDialog() {
  const { t } = useLingui();
  return (
    <Dialog id={keptTextsDialogId} title={t`Log out and delete your text?`}>
      <p>
        <Trans>
          This browser has a text of a lesson that hasn’t been saved. Logging out deletes it here.
        </Trans>
      </p>
      <form method="dialog" className="dialog-foot">
        <CloseButton dialogId={keptTextsDialogId}>{t`Stay`}</CloseButton>
        <button type="submit" value="delete" className="button button-delete">
          <Trans>Log out and delete it</Trans>
        </button>
      </form>
    </Dialog>
  );
}
