'use client';

import { type MouseEvent, type ReactNode, useState } from 'react';
import type { FormMessages } from '#i18n/validation.ts';
import { Dialog, OpenButton } from '#ui/dialog.tsx';
import { useTicked } from '#ui/ticked-rows.ts';
import { EntryForm, type EntryTexts } from './entry-form.tsx';
import { payDialogId } from './payment-paths.ts';

type BalanceListProps = {
  cohortId: string;
  currency: string;
  today: string;
  messages: FormMessages;
  /** In `selected` and `markMany`, `#` stands for a number. */
  texts: EntryTexts & Record<'title' | 'selected' | 'markOne' | 'markMany' | 'each', string>;
  /** Before the button that marks the selected. */
  tools: ReactNode;
  children: ReactNode;
};

/** Whom the dialog is about, and what they owe, as it is typed. */
type Chosen = { ids: string[]; names: string[]; amount: string | null; due?: number };

/** A list of accounts, of which one or several are marked as paid in one dialog. */
export function BalanceList(props: BalanceListProps) {
  const { texts, tools, children, ...form } = props;
  const { ref, ticked, look, clear } = useTicked();
  const count = ticked.length;
  const [chosen, setChosen] = useState<Chosen | null>(null);

  function rowsOf(selector: string): HTMLElement[] {
    const elements = ref.current?.querySelectorAll<HTMLElement>(selector) ?? [];
    return [...elements].flatMap((one) => one.closest<HTMLElement>('[data-account]') ?? []);
  }

  function choose(rows: HTMLElement[]): void {
    setChosen({
      ids: rows.map((row) => row.dataset['account'] ?? ''),
      names: rows.map((row) => row.querySelector('[data-name]')?.textContent ?? ''),
      ...(rows.length === 1
        ? { amount: rows[0]?.dataset['owed'] ?? null, due: Number(rows[0]?.dataset['due'] ?? 0) }
        : { amount: null }),
    });
  }

  function chooseOne({ target }: MouseEvent): void {
    const button = (target as Element).closest<HTMLElement>('[data-pay]');
    const row = button?.closest<HTMLElement>('[data-account]');
    if (row) {
      choose([row]);
    }
  }

  return (
    <div ref={ref} className="accounts" onClickCapture={chooseOne} onChange={look}>
      <div className="actions">
        {tools}
        <p role="status" className="ms-auto text-[0.875rem] text-muted">
          {count > 0 && texts.selected.replace('#', String(count))}
        </p>
        {count > 0 && (
          <OpenButton
            dialogId={payDialogId}
            className="button button-primary"
            onClick={() => choose(rowsOf('.tick :checked'))}
          >
            {count === 1 ? texts.markOne : texts.markMany.replace('#', String(count))}
          </OpenButton>
        )}
      </div>
      {children}
      <Dialog id={payDialogId} title={texts.title}>
        {chosen && (
          <EntryForm
            key={chosen.ids.join()}
            {...form}
            dialogId={payDialogId}
            kind="payment"
            enrollmentIds={chosen.ids}
            amount={chosen.amount}
            due={chosen.due}
            texts={texts}
            onDone={() => {
              clear();
              setChosen(null);
            }}
          >
            <p dir="auto">{chosen.names.join(', ')}</p>
            {chosen.amount === null && <p className="hint">{texts.each}</p>}
          </EntryForm>
        )}
      </Dialog>
    </div>
  );
}
