'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { useFinish } from '#client/use-finish.ts';
import { calendarPaths } from './addresses.ts';

type FeedButtonProps = {
  /** Switches the feed off; else on, by a new address. */
  isEnding?: boolean;
  pendingLabel: string;
  /** Shown when it is done. */
  done: string;
  className: string;
  children: ReactNode;
};

/** Switches the feed of an instructor on or off. The page then shows what it is now. */
export function FeedButton({ isEnding, done, ...button }: FeedButtonProps) {
  const finish = useFinish();
  return (
    <ActionButton
      path={calendarPaths.settings}
      call={{ method: isEnding ? 'DELETE' : 'POST' }}
      onDone={() => finish(done)}
      {...button}
    />
  );
}
