'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import type { ApiPath, MethodOf, Taken } from '#client/api-routes.ts';
import type { ApiCall } from '#client/call-api.ts';
import { useFinish } from '#client/use-finish.ts';
import { askToReauthenticate } from './ask-to-reauthenticate.ts';

type SettingsButtonProps<Path extends ApiPath, Method extends MethodOf<Path>> = {
  path: Path & Taken<Method>;
  call: ApiCall<Path, Method>;
  pendingLabel: string;
  done: string;
  /** The ids of what it switches, where several buttons have the same words. */
  labelledBy?: string;
  /** Makes it a switch. */
  isOn?: boolean;
  className?: string;
  children: ReactNode;
};

/** A button that makes one change and refreshes the page. */
export function SettingsButton<Path extends ApiPath, Method extends MethodOf<Path>>({
  done,
  className = 'button button-small',
  ...button
}: SettingsButtonProps<Path, Method>) {
  const finish = useFinish();
  return (
    <ActionButton<Path, Method>
      {...button}
      className={className}
      onFailure={askToReauthenticate}
      onDone={() => finish(done)}
    />
  );
}
