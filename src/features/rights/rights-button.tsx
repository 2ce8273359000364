'use client';

import { type ComponentProps, createContext, type ReactNode, useContext, useState } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import type { ApiPath } from '#client/api-routes.ts';
import { PageOutcome } from '#ui/outcome.tsx';
import { saveExport } from '#ui/save-export.ts';

type ButtonProps = { pendingLabel: string; className: string; children: ReactNode };

type RefusableProps<Path extends ApiPath> = ComponentProps<typeof ActionButton<Path>> & {
  /** Beside the button. */
  cancel?: ReactNode;
};

/** Says a refusal above the button; anything else is for the error dialog. */
function RefusableButton<Path extends ApiPath>({ cancel, ...button }: RefusableProps<Path>) {
  const [refusal, setRefusal] = useState<string | null>(null);
  return (
    <>
      <div role="alert">{refusal !== null && <p className="alert mb-6">{refusal}</p>}</div>
      <div className={cancel === undefined ? 'grid' : 'dialog-foot'}>
        {cancel}
        <ActionButton<Path>
          {...button}
          onFailure={({ status, body }) => {
            const isRefused = status === 400 || status === 404 || status === 422;
            setRefusal(isRefused ? (body?.message ?? null) : null);
            return isRefused;
          }}
        />
      </div>
    </>
  );
}

type DataLinkButtonProps = ButtonProps & {
  link: string;
  /** In the place of the button once the email is on its way. */
  sent: ReactNode;
};

/** Has a link to what is kept of them sent to the person of a page. */
export function DataLinkButton({ link, sent, ...button }: DataLinkButtonProps) {
  const [isSent, setIsSent] = useState(false);
  return isSent ? (
    sent
  ) : (
    <RefusableButton
      path="/api/participation/data-link/"
      call={{ input: { link } }}
      onDone={() => setIsSent(true)}
      {...button}
    />
  );
}

type TokenProps = ButtonProps & { token: string };

/** Downloads what is kept of the person of a link. */
export function OwnDataButton({ token, done, ...button }: TokenProps & { done: string }) {
  return (
    <RefusableButton
      path="/api/participation/data/"
      call={{ input: { token } }}
      onDone={(data) => saveExport(data, 'lectern', done)}
      {...button}
    />
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

type EndButtonProps = TokenProps & {
  /** Ends all links of the person, who gets a new one, or erases them; remove-me, unasked. */
  act: 'renew-link' | 'erase' | 'remove-me';
  end: End;
  cancel?: ReactNode;
};

/** Does what ends its own link, on this click only. */
export function EndButton({ token, act, end, ...button }: EndButtonProps) {
  const onEnd = useContext(EndContext);
  return (
    <RefusableButton
      path={`/api/participation/${act}/` as const}
      call={{ input: { token } }}
      onDone={() => onEnd(end)}
      {...button}
    />
  );
}

/** Confirms another address of a person, and leads to their page. */
export function ConfirmAddressButton({ token, ...button }: TokenProps) {
  return (
    <RefusableButton
      path="/api/participation/confirm-address/"
      call={{ input: { token } }}
      onDone={({ redirect_to: page }) => {
        window.location.assign(page);
        return 'leaving';
      }}
      {...button}
    />
  );
}
