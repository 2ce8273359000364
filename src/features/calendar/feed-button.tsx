'use client';

import { ActionButton } from '#client/action-button.tsx';
import { useFinish } from '#client/use-finish.ts';
import type { CohortButtonProps } from '#features/cohorts/cohort-button.tsx';
import { calendarPaths } from './addresses.ts';

type FeedButtonProps = Omit<CohortButtonProps, 'id'> & {
  /** Switches the feed off; else on, by a new address. */
  isEnding?: boolean;
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
