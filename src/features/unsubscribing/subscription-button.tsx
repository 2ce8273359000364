'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { useFinish } from '#client/use-finish.ts';
import type { emailPaths } from '#paths.ts';

type SubscriptionButtonProps = {
  path: typeof emailPaths.subscription;
  link: string;
  /** What the click makes of it. */
  isOn: boolean;
  pendingLabel: string;
  done: string;
  className: string;
  children: ReactNode;
};

/** Ends the emails of a link, or lets them come again. The page then says what is so. */
export function SubscriptionButton({ link, isOn, done, ...button }: SubscriptionButtonProps) {
  const finish = useFinish();
  return (
    <ActionButton call={{ input: { link, is_on: isOn } }} onDone={() => finish(done)} {...button} />
  );
}
