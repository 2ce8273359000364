'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { type ButtonProps, useOutcome } from '#features/cohorts/cohort-button.tsx';
import { closeDialog } from '#ui/dialog.tsx';
import { paymentPaths } from './payment-paths.ts';

/** A text for each count, with `#` for the number. */
type Counted = { none: string; one: string; other: string };

type LedgerButtonProps = Omit<ButtonProps, 'done'> & {
  cohortId: string;
  dialogId: string;
  action: 'charges' | 'reminders' | 'questions';
  done: Counted;
};

/** Charges everyone who is not charged, or writes to everyone who owes, from its dialog. */
export function LedgerButton(props: LedgerButtonProps) {
  const { cohortId, dialogId, action, done, ...button } = props;
  const { show, onFailure } = useOutcome(() => closeDialog(dialogId));
  const say = (count: number) =>
    show(
      (count === 0 ? done.none : count === 1 ? done.one : done.other).replace('#', String(count)),
    );
  return (
    <ActionButton
      path={paymentPaths[action](cohortId)}
      onDone={(done) => say('charged' in done ? done.charged : done.recipients)}
      onFailure={onFailure}
      {...button}
    />
  );
}

type CohortSelectProps = { chosen: string; label: string; children: ReactNode };

/** Chooses the cohort whose account is shown, as soon as it is chosen. */
export function CohortSelect({ chosen, label, children }: CohortSelectProps) {
  return (
    <select
      // A select that the browser restores would show another than the page.
      key={chosen}
      name="cohort"
      className="input w-auto max-w-64"
      aria-label={label}
      autoComplete="off"
      defaultValue={chosen}
      onChange={({ target }) => target.form?.requestSubmit()}
    >
      {children}
    </select>
  );
}
