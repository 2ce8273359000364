'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import type { emailPaths } from '#paths.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { showToast } from '#ui/toast.tsx';

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
  const refresh = useRefresh();
  return (
    <ActionButton
      call={{ input: { link, is_on: isOn } }}
      onDone={async () => {
        await refresh();
        showToast(done);
      }}
      {...button}
    />
  );
}
