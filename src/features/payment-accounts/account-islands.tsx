'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { ApiForm } from '#client/api-form.tsx';
import { callApi } from '#client/call-api.ts';
import { checkBySchema } from '#client/check-by-schema.ts';
import { type ButtonProps, useOutcome } from '#features/cohorts/cohort-button.tsx';
import { askToReauthenticate } from '#features/settings/ask-to-reauthenticate.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { closeDialog } from '#ui/dialog.tsx';
import { showToast } from '#ui/toast.tsx';

const path = '/api/payment-account/';

const check = checkBySchema(() => import('./schema.ts').then(({ AccountInput }) => AccountInput));

type ToStripe = {
  /** The origin of Stripe here: the browser goes to no other without https. */
  stripeOrigin: string;
  /** Said if it doesn't. */
  failed: string;
};

/** Continues at Stripe. */
function goTo(url: string, { stripeOrigin, failed }: ToStripe) {
  const parsed = URL.parse(url);
  if (parsed?.protocol === 'https:' || parsed?.origin === stripeOrigin) {
    window.location.assign(url);
    return 'leaving';
  }
  return showToast(failed, 'failed');
}

type ConnectFormProps = ToStripe & { messages: FormMessages; children: ReactNode };

/** Connects an account in the country that is chosen. */
export function ConnectForm({ messages, children, ...to }: ConnectFormProps) {
  return (
    <ApiForm
      path={path}
      messages={messages}
      check={check}
      refusals={['country_refused']}
      onFailure={askToReauthenticate}
      onDone={({ redirect_to: url }) => goTo(url, to)}
    >
      {children}
    </ApiForm>
  );
}

type ContinueButtonProps = ToStripe &
  Pick<ButtonProps, 'pendingLabel' | 'children'> & { country: string };

/** Goes to what Stripe still asks for. */
export function ContinueButton({ country, stripeOrigin, failed, ...button }: ContinueButtonProps) {
  return (
    <ActionButton<typeof path, 'POST'>
      path={path}
      call={{ input: { country } }}
      className="button button-primary"
      onFailure={askToReauthenticate}
      onDone={({ redirect_to: url }) => goTo(url, { stripeOrigin, failed })}
      {...button}
    />
  );
}

type DisconnectProps = Omit<ButtonProps, 'className'> & { dialogId: string };

/** Takes no more payments by the account, from its dialog. */
export function DisconnectButton({ dialogId, done, ...button }: DisconnectProps) {
  const { show, onFailure } = useOutcome(() => closeDialog(dialogId));
  return (
    <ActionButton<typeof path, 'DELETE'>
      path={path}
      call={{ method: 'DELETE' }}
      className="button button-delete"
      onDone={() => show(done)}
      onFailure={(failure) => {
        closeDialog(dialogId);
        return askToReauthenticate(failure) || onFailure(failure);
      }}
      {...button}
    />
  );
}

type AccountCheckProps = {
  /** Whether it asks once by itself, when someone returns from Stripe. */
  isBack: boolean;
  texts: Record<'asking' | 'failed' | 'retry', string>;
};

/** Asks Stripe how the account is, and refreshes the page. */
export function AccountCheck({ isBack, texts }: AccountCheckProps) {
  const refresh = useRefresh();
  const [state, setState] = useState<'idle' | 'asking' | 'failed'>('idle');

  async function ask(): Promise<void> {
    setState('asking');
    const result = await callApi(`${path}check/`);
    if (result.ok) {
      // So that a reload does not ask again.
      window.history.replaceState(window.history.state, '', window.location.pathname);
      await refresh();
    }
    setState(result.ok ? 'idle' : 'failed');
  }
  const askRef = useRef(ask);
  askRef.current = ask;
  useEffect(() => {
    if (isBack) {
      void askRef.current();
    }
  }, [isBack]);

  return (
    <div role="status">
      {state === 'asking' && <p className="notice">{texts.asking}</p>}
      {state === 'failed' && (
        <p className="notice">
          {texts.failed}{' '}
          <button type="button" className="link" onClick={() => void ask()}>
            {texts.retry}
          </button>
        </p>
      )}
    </div>
  );
}
