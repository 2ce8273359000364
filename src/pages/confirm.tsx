import { Trans, useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { ConfirmButton, HideToken } from '#features/auth/confirm-button.tsx';
import { linkRows } from '#features/auth/find-link.ts';
import { SignInLayout } from '#features/shell/sign-in-layout.tsx';
import { connectionLost } from '#i18n/errors.ts';
import { maskEmail } from '#lib/email-address.ts';
import { pageRequest, requireLink } from '#page-request.ts';
import { apiPaths, paths } from '#paths.ts';
import { errors } from '#vocabulary.ts';

/** Shows what an emailed link does and for whom. Only the button uses the link, not opening it. */
export default async function ConfirmPage({ query }: PageProps<'/confirm'>) {
  const request = pageRequest();
  const { i18n } = request;
  const { t } = useLingui();
  const token = new URLSearchParams(query).get('token') ?? '';
  const { viewer, link } = await requireLink(token, linkRows);

  if (link === null) {
    return (
      <SignInLayout request={request} viewer={viewer}>
        <title>{t`This link doesn’t work · Lectern`}</title>
        <h1>{i18n._(errors.link_invalid.text)}</h1>
        <p className="mt-2 mb-8 text-muted">
          <Trans>
            Links work once, for a limited time, and a new link replaces the previous one. Please
            request a new one.
          </Trans>
        </p>
        <p className="flex flex-wrap gap-3">
          {viewer === null ? (
            <a className="button button-primary" href={paths.login}>
              <Trans>Get a new link</Trans>
            </a>
          ) : (
            <a className="button button-primary" href={paths.home}>
              <Trans>Go to home</Trans>
            </a>
          )}
        </p>
      </SignInLayout>
    );
  }

  const address = <strong>{maskEmail(link.email)}</strong>;
  const presentAddress = <strong>{maskEmail(link.user.email)}</strong>;
  const viewerAddress = <strong>{viewer?.email}</strong>;
  const { title, explanation, label } = {
    verification: {
      title: t`Confirm your email address`,
      explanation: (
        <Trans>
          Confirm that {address} is your email address to activate your account and log in.
        </Trans>
      ),
      label: t`Confirm and log in`,
    },
    login: {
      title: t`Log in to Lectern`,
      explanation: <Trans>You’re about to log in as {address}.</Trans>,
      label: t`Log in`,
    },
    address_change: {
      title: t`Confirm your new email address`,
      explanation: (
        <Trans>
          You’re about to change this account’s email address from {presentAddress} to {address}.
          You’ll be logged in here and logged out everywhere else. Continue only if this is your
          account.
        </Trans>
      ),
      label: t`Confirm this address`,
    },
  }[link.purpose];
  return (
    <SignInLayout request={request} viewer={viewer}>
      <title>{`${title} · Lectern`}</title>
      <HideToken />
      <h1>{title}</h1>
      <p className="mt-2 mb-8">{explanation}</p>
      {viewer !== null && viewer.id !== link.userId && (
        <p className="alert mb-8">
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
          connectionLost: i18n._(connectionLost),
          internal: i18n._(errors.internal.text),
        }}
      >
        <p className="flex flex-wrap gap-3">
          <a className="button" href={paths.login}>
            <Trans>Get a new link</Trans>
          </a>
          {/* After using the link in another tab, this browser may be signed in. */}
          <a className="button" href={paths.home}>
            <Trans>Go to home</Trans>
          </a>
        </p>
      </ConfirmButton>
    </SignInLayout>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
