import { Trans, useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { SignInLayout } from '#features/frames/sign-in-layout.tsx';
import { linkRows } from '#features/identity/find-link.ts';
import { ConfirmButton, HideToken } from '#features/sign-in/confirm-button.tsx';
import { AddressCard, LinkFacts } from '#features/sign-in/link-facts.tsx';
import { problemTexts } from '#i18n/validation.ts';
import { maskEmail } from '#lib/email-address.ts';
import { pageRequest, requireLink } from '#page-request.ts';
import { apiPaths, paths } from '#paths.ts';
import { EmailAddress } from '#ui/email-address.tsx';
import { errors } from '#vocabulary.ts';

/** Shows what an emailed link does and for whom. Only the button uses the link, not opening it. */
export default async function ConfirmPage({ query }: PageProps<'/confirm'>) {
  const request = pageRequest();
  const { ctx, i18n } = request;
  const { t } = useLingui();
  const token = new URLSearchParams(query).get('token') ?? '';
  const { viewer, link } = await requireLink(token, linkRows);

  if (link === null) {
    return (
      <SignInLayout request={request} viewer={viewer}>
        <title>{t`This link doesn’t work · Lectern`}</title>
        <h1>{i18n._(errors.link_invalid.text)}</h1>
        <p className="frame-lead">
          <Trans>
            Links work once, for a limited time, and a new link replaces the previous one. Please
            request a new one.
          </Trans>
        </p>
        {viewer === null ? (
          <a className="button button-primary" href={paths.login}>
            <Trans>Send a new link</Trans>
          </a>
        ) : (
          <a className="button button-primary" href={paths.home}>
            <Trans>Go to home</Trans>
          </a>
        )}
      </SignInLayout>
    );
  }

  const presentAddress = <bdi>{maskEmail(link.user.email)}</bdi>;
  const viewerAddress = (
    <strong>
      <EmailAddress>{viewer?.email ?? ''}</EmailAddress>
    </strong>
  );
  const { title, lead, note, warning, label, instead } = {
    verification: {
      title: t`Confirm your email address`,
      lead: t`Confirm that this is your email address to activate your account and log in.`,
      note: null,
      warning: null,
      label: t`Confirm and log in`,
      instead: paths.signup,
    },
    login: {
      title: t`Log in to Lectern`,
      lead: t`You’re about to log in as`,
      note: null,
      warning: null,
      label: t`Log in`,
      instead: paths.login,
    },
    address_change: {
      title: t`Confirm your new email address`,
      lead: t`You’re about to change this account’s email address to`,
      note: <Trans>Until now: {presentAddress}</Trans>,
      warning: t`You’ll be logged in here and logged out everywhere else. Continue only if this is your account.`,
      label: t`Confirm this address`,
      instead: null,
    },
  }[link.purpose];
  return (
    <SignInLayout
      request={request}
      viewer={viewer}
      // The address bar no longer has the token.
      language={{ search: `?token=${token}` }}
      hasForm
    >
      <title>{`${title} · Lectern`}</title>
      <HideToken />
      <h1>{title}</h1>
      <p className="frame-lead">{lead}</p>
      <AddressCard userId={link.userId} address={maskEmail(link.email)} note={note} />
      {warning !== null && <p className="-mt-2 mb-6">{warning}</p>}
      {viewer !== null && viewer.id !== link.userId && (
        <p className="alert -mt-2 mb-6">
          <Trans>
            You’re logged in as {viewerAddress} in this browser. If you continue, you’ll be logged
            out of that account.
          </Trans>
        </p>
      )}
      <ConfirmButton
        path={apiPaths.confirm}
        token={token}
        texts={{
          label,
          pending: t`One moment…`,
          ...problemTexts(i18n),
        }}
        details={
          <>
            {viewer === null && instead !== null && (
              <a className="button button-quiet" href={instead}>
                <Trans>Use another address</Trans>
              </a>
            )}
            <LinkFacts now={ctx.now()} link={link} label={t`Requested`} />
            <p className="frame-foot">
              <Trans>Didn’t ask for this? Close this page. Nothing happens unless you click.</Trans>
            </p>
          </>
        }
      >
        <a className="button button-primary" href={paths.login}>
          <Trans>Send a new link</Trans>
        </a>
        {/* After using the link in another tab, this browser may be signed in. */}
        <a className="button button-quiet" href={paths.home}>
          <Trans>Go to home</Trans>
        </a>
      </ConfirmButton>
    </SignInLayout>
  );
}
