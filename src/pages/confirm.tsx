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
        <title>{t`This link does not work · Lectern`}</title>
        <h1>{i18n._(errors.link_invalid.text)}</h1>
        <p className="mt-2 mb-8 text-muted">
          <Trans>
            A link works once and for a limited time, and a newer one takes the place of an older.
            Please have a new one sent to you.
          </Trans>
        </p>
        <p className="flex flex-wrap gap-3">
          {viewer === null ? (
            <a className="button button-primary" href={paths.login}>
              <Trans>Get a new link</Trans>
            </a>
          ) : (
            <a className="button button-primary" href={paths.home}>
              <Trans>Go to your home page</Trans>
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
          You are about to confirm that {address} is your address. Your account is then ready, and
          you are logged in.
        </Trans>
      ),
      label: t`Confirm and log in`,
    },
    login: {
      title: t`Log in to Lectern`,
      explanation: <Trans>You are about to log in with the account of {address}.</Trans>,
      label: t`Log in`,
    },
    address_change: {
      title: t`Use a new email address`,
      explanation: (
        <Trans>
          The account of {presentAddress} is about to use {address} instead. You are then logged in
          to it here, and it is logged out everywhere else. Go on only if that account is yours.
        </Trans>
      ),
      label: t`Use this address`,
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
            <Trans>Go to your home page</Trans>
          </a>
        </p>
      </ConfirmButton>
    </SignInLayout>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
