'use client';

import { createContext, type ReactNode, useContext, useState } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import type { ApiFailure } from '#client/call-api.ts';
import { PageOutcome } from '#ui/outcome.tsx';
import { saveExport } from '#ui/save-export.ts';
import { rightsPaths } from './rights-paths.ts';

type ButtonProps = { pendingLabel: string; className: string; children: ReactNode };

/** A refusal is said above the button; anything else is for the error dialog. */
function useRefusal() {
  const [refusal, setRefusal] = useState<string | null>(null);
  return {
    alert: <div role="alert">{refusal !== null && <p className="alert mb-6">{refusal}</p>}</div>,
    onFailure({ status, body }: ApiFailure): boolean {
      const isRefused = status === 400 || status === 404 || status === 422;
      setRefusal(isRefused ? (body?.message ?? null) : null);
      return isRefused;
    },
  };
}

type DataLinkButtonProps = ButtonProps & {
  link: string;
  /** In the place of the button once the email is on its way. */
  sent: ReactNode;
};

/** Has a link to what is kept of them sent to the person of a page. */
export function DataLinkButton({ link, sent, ...button }: DataLinkButtonProps) {
  const [isSent, setIsSent] = useState(false);
  const { alert, onFailure } = useRefusal();
  return isSent ? (
    sent
  ) : (
    <>
      {alert}
      <ActionButton
        path={rightsPaths.own('data-link')}
        call={{ input: { link } }}
        onDone={() => setIsSent(true)}
        onFailure={onFailure}
        {...button}
      />
    </>
  );
}

/** Downloads what is kept of the person of a link. */
export function OwnDataButton({
  token,
  done,
  ...button
}: ButtonProps & { token: string; done: string }) {
  const { alert, onFailure } = useRefusal();
  return (
    <>
      {alert}
      <ActionButton
        path={rightsPaths.own('data')}
        call={{ input: { token } }}
        onDone={(data) => saveExport(data, 'lectern', done)}
        onFailure={onFailure}
        {...button}
      />
    </>
  );
}

/** What is said once a link has done what ends it. */
type End = { title: ReactNode; text: ReactNode };

const EndContext = createContext<(end: End) => void>(() => {});

/** A page of a link until the link has ended itself; then it says so, and nothing else. */
export function UntilEnded({ children }: { children: ReactNode }) {
  const [end, setEnd] = useState<End | null>(null);
  return end ? <PageOutcome {...end} /> : <EndContext value={setEnd}>{children}</EndContext>;
}

type RenewLinkProps = ButtonProps & { token: string; end: End };

/** Ends all links of the person of a link, who gets a new one by email. */
export function RenewLinkButton({ token, end, ...button }: RenewLinkProps) {
  const onEnd = useContext(EndContext);
  const { alert, onFailure } = useRefusal();
  return (
    <>
      {alert}
      <ActionButton
        path={rightsPaths.own('renew-link')}
        call={{ input: { token } }}
        onDone={() => onEnd(end)}
        onFailure={onFailure}
        {...button}
      />
    </>
  );
}

type EraseProps = ButtonProps & {
  token: string;
  end: End;
  /** Whether the link is one that removes, from an email that came unasked. */
  isRemoval: boolean;
  /** Beside the button. */
  cancel?: ReactNode;
};

/** Erases the person of a link, on this click only. */
export function EraseButton({ token, end, isRemoval, cancel, ...button }: EraseProps) {
  const onEnd = useContext(EndContext);
  const { alert, onFailure } = useRefusal();
  const shared = {
    call: { input: { token } },
    onDone: () => onEnd(end),
    onFailure,
    ...button,
  };
  return (
    <>
      {alert}
      <div className={cancel === undefined ? 'grid' : 'dialog-foot'}>
        {cancel}
        {isRemoval ? (
          <ActionButton path={rightsPaths.own('remove-me')} {...shared} />
        ) : (
          <ActionButton path={rightsPaths.own('erase')} {...shared} />
        )}
      </div>
    </>
  );
}

type ConfirmAddressProps = ButtonProps & { token: string };

/** Confirms another address of a person, and leads to their page. */
export function ConfirmAddressButton({ token, ...button }: ConfirmAddressProps) {
  const { alert, onFailure } = useRefusal();
  return (
    <>
      {alert}
      <ActionButton
        path={rightsPaths.own('confirm-address')}
        call={{ input: { token } }}
        onDone={({ redirect_to: page }) => {
          window.location.assign(page);
          return 'leaving';
        }}
        onFailure={onFailure}
        {...button}
      />
    </>
  );
}
