'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import type { ApiFailure } from '#client/call-api.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { showToast } from '#ui/toast.tsx';
import { paymentPaths } from './payment-paths.ts';

type AccountButtonProps = {
  cohortId: string;
  dialogId: string;
  action: 'charge' | 'remind';
  pendingLabel: string;
  /** Said when it is done, by how many it was: `#` stands for the number. */
  done: { none: string; one: string; other: string };
  children: ReactNode;
};

/** Charges everyone who is not charged, or reminds everyone who owes, from its dialog. */
export function AccountButton({ cohortId, dialogId, action, done, ...button }: AccountButtonProps) {
  const refresh = useRefresh();
  async function show(text: string, kind?: 'failed'): Promise<void> {
    (document.getElementById(dialogId) as HTMLDialogElement | null)?.close();
    await refresh();
    showToast(text, kind);
  }
  const say = (count: number) => {
    const text = count === 0 ? done.none : count === 1 ? done.one : done.other;
    return show(text.replace('#', String(count)));
  };
  const shared = {
    className: 'button button-primary',
    onFailure({ status, body }: ApiFailure): boolean {
      // It was changed elsewhere, so that a retry would not help.
      const isRefused = status === 422 && body !== null;
      if (isRefused) {
        void show(body.message, 'failed');
      }
      return isRefused;
    },
    ...button,
  };
  return action === 'charge' ? (
    <ActionButton
      path={paymentPaths.charges(cohortId)}
      onDone={({ charged }) => say(charged)}
      {...shared}
    />
  ) : (
    <ActionButton
      path={paymentPaths.reminders(cohortId)}
      onDone={({ recipients }) => say(recipients)}
      {...shared}
    />
  );
}
