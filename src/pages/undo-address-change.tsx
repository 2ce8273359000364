import { Trans, useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { SignInLayout } from '#features/frames/sign-in-layout.tsx';
import { undoRows } from '#features/identity/undo-address-change.ts';
import { ConfirmButton, HideToken } from '#features/sign-in/confirm-button.tsx';
import { LinkFacts } from '#features/sign-in/link-facts.tsx';
import { problemTexts } from '#i18n/validation.ts';
import { maskEmail } from '#lib/email-address.ts';
import { pageRequest, requireLink } from '#page-request.ts';
import { apiPaths, paths } from '#paths.ts';

/**
 * Shows what a link in an email about an address change does: cancel a pending change, or restore
 * the former address. Only the button uses the link, not opening it.
 */
export default async function UndoAddressChangePage({ query }: PageProps<'/undo-address-change'>) {
  const request = pageRequest();
  const { ctx, i18n } = request;
  const { t } = useLingui();
  const token = new URLSearchParams(query).get('token') ?? '';
  const { viewer, link: undo } = await requireLink(token, undoRows);

  const wayOn = (
    <>
      <p className="frame-lead">
        <Trans>
          Links like this work once, for a limited time. If the address has already changed, the
          email about the change contains a link to undo it.
        </Trans>
      </p>
      {/* Redirects to /login if signed out. */}
      <a className="button button-primary" href={paths.settings}>
        <Trans>Go to your settings</Trans>
      </a>
    </>
  );
  if (undo === null) {
    return (
      <SignInLayout request={request} viewer={viewer}>
        <title>{t`This link doesn’t work · Lectern`}</title>
        <h1>{t`This link doesn’t work`}</h1>
        {wayOn}
      </SignInLayout>
    );
  }

  const presentAddress = <strong>{maskEmail(undo.user.email)}</strong>;
  const otherAddress = <strong>{maskEmail(undo.otherEmail)}</strong>;
  const { title, explanation, label, since, doneTitle, result, onward } = {
    stop: {
      title: t`Stop this change`,
      explanation: (
        <Trans>
          Someone asked to change the email address of this account from {presentAddress} to{' '}
          {otherAddress}. If you stop the change, the address stays the same. This doesn’t log
          anyone in or out.
        </Trans>
      ),
      label: t`Stop this change`,
      since: t`Requested`,
      doneTitle: t`Change stopped`,
      result: (
        <Trans>
          This account’s email address is still {presentAddress}. If you didn’t request the change,
          log out of all other sessions in your settings.
        </Trans>
      ),
      onward: { href: paths.settings, label: t`Go to your settings` },
    },
    restore: {
      title: t`Undo the address change`,
      explanation: (
        <Trans>
          This account now uses {presentAddress}. If you undo the change, it will use {otherAddress}{' '}
          again and be logged out everywhere. You can then log in by email.
        </Trans>
      ),
      label: t`Undo the change`,
      since: t`Changed`,
      doneTitle: t`Account restored`,
      result: (
        <Trans>
          Your account uses {otherAddress} again and has been logged out everywhere. To log in,
          request a link to that address.
        </Trans>
      ),
      onward: { href: paths.login, label: t`Log in` },
    },
  }[undo.kind];
  return (
    <SignInLayout
      request={request}
      viewer={viewer}
      // The address bar no longer has the token.
      language={{ search: `?token=${token}` }}
      hasForm
    >
      <HideToken />
      <ConfirmButton
        path={apiPaths.undoAddressChange}
        token={token}
        texts={{
          label,
          pending: t`One moment…`,
          ...problemTexts(i18n),
        }}
        question={
          <>
            <title>{`${title} · Lectern`}</title>
            <h1>{title}</h1>
            <p className="frame-lead">{explanation}</p>
          </>
        }
        done={
          <>
            <title>{`${doneTitle} · Lectern`}</title>
            <h1 tabIndex={-1}>{doneTitle}</h1>
            <p className="frame-lead">{result}</p>
            <a className="button button-primary" href={onward.href}>
              {onward.label}
            </a>
          </>
        }
        details={
          <>
            <LinkFacts now={ctx.now()} link={undo} label={since} />
            <p className="frame-foot">
              <Trans>Nothing happens unless you click.</Trans>
            </p>
          </>
        }
      >
        {wayOn}
      </ConfirmButton>
    </SignInLayout>
  );
}
