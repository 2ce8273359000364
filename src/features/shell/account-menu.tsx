import { Trans, useLingui } from '@lingui/react/macro';
import { deleteAccountDialogId } from '#features/account-settings/delete-account.tsx';
import { Avatar } from '#features/identity/avatar.tsx';
import type { Viewer } from '#features/identity/find-actor.ts';
import { LogoutButton } from '#features/identity/logout-button.tsx';
import { EmailAddress } from '#ui/email-address.tsx';

const menuId = 'user-menu';

/** The menu of a signed-in user outside the shell. The page has the dialog that deletes. */
export function AccountMenu({ viewer }: { viewer: Viewer }) {
  const { t } = useLingui();
  const fullName = `${viewer.firstName} ${viewer.lastName}`;
  return (
    <div className="grid [grid-area:1/2]">
      <button type="button" className="icon-button" popoverTarget={menuId} data-tip={fullName}>
        <Avatar viewer={viewer} className="avatar avatar-small" />
        <span className="sr-only">
          <Trans>Your account</Trans> {fullName}
        </span>
      </button>
      <div id={menuId} popover="auto" data-menu className="menu">
        <p className="px-3 py-2 text-muted text-sm">
          <EmailAddress>{viewer.email}</EmailAddress>
        </p>
        <LogoutButton viewerId={viewer.id} className="menu-item" pendingLabel={t`Logging out…`}>
          <span className="icon icon-leave" />
          {t`Log out`}
        </LogoutButton>
        <button
          type="button"
          className="menu-item menu-last text-danger"
          command="show-modal"
          commandfor={deleteAccountDialogId}
        >
          <span className="icon icon-trash" />
          {t`Delete your account`}
        </button>
      </div>
    </div>
  );
}
