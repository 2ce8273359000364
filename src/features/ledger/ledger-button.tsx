'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { useOutcome } from '#features/cohorts/cohort-button.tsx';
import { closeDialog } from '#ui/dialog.tsx';
import { paymentPaths } from './payment-paths.ts';

/** A text for each count, with `#` for the number. */
type Counted = { none: string; one: string; other: string };

type LedgerButtonProps = {
  cohortId: string;
  dialogId: string;
  action: 'charges' | 'reminders';
  pendingLabel: string;
  done: Counted;
  /** Added if people were left out; its `none` then replaces that of `done`. */
  leftOut?: Counted;
  children: ReactNode;
};

/** Charges everyone who is not charged, or reminds everyone who owes, from its dialog. */
export function LedgerButton(props: LedgerButtonProps) {
  const { cohortId, dialogId, action, done, leftOut, ...button } = props;
  const { show, onFailure } = useOutcome(() => closeDialog(dialogId));
  const of = (count: number, { none, one, other }: Counted) =>
    (count === 0 ? none : count === 1 ? one : other).replace('#', String(count));
  const say = (count: number, without = 0) => {
    if (leftOut === undefined || without === 0) {
      return show(of(count, done));
    }
    const first = count === 0 ? leftOut.none : of(count, done);
    return show(`${first} ${of(without, leftOut)}`);
  };
  return (
    <ActionButton
      path={paymentPaths[action](cohortId)}
      className="button button-primary"
      onDone={(done) =>
        'charged' in done ? say(done.charged) : say(done.recipients, done.not_agreed)
      }
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
      className="input"
      aria-label={label}
      autoComplete="off"
      defaultValue={chosen}
      onChange={({ target }) => target.form?.requestSubmit()}
    >
      {children}
    </select>
  );
}
