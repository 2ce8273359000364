'use client';

import { type ComponentProps, type ReactNode, useState } from 'react';
import { EntryForm } from '#features/ledger/entry-form.tsx';
import { payDialogId } from '#features/ledger/payment-paths.ts';
import { type Numbered, withNumber } from '#lib/numbered-texts.ts';
import { Dialog, OpenButton } from '#ui/dialog.tsx';
import { useTicked } from '#ui/ticked-rows.ts';

type EntryProps = ComponentProps<typeof EntryForm>;

type RosterSelectionProps = {
  cohortId: string;
  /** Whether emails go out. */
  canWrite: boolean;
  /** Who owes something. */
  owing: string[];
  /** Null where no one is charged. */
  payment:
    | (Pick<EntryProps, 'currency' | 'today' | 'messages'> & {
        texts: EntryProps['texts'] & Record<'title' | 'each', string>;
      })
    | null;
  texts: { selected: Numbered; write: Numbered; pay: string; clear: string };
  children: ReactNode;
};

/** A list of people, of whom those that are ticked can be written to or marked as paid. */
export function RosterSelection(props: RosterSelectionProps) {
  const { cohortId, canWrite, owing, payment, texts, children } = props;
  const { ref, ticked, look } = useTicked();
  const [payers, setPayers] = useState<{ ids: string[]; names: string[] }>({ ids: [], names: [] });
  const count = ticked.length;
  const payerIds = ticked.filter((id) => owing.includes(id));

  function boxes(): HTMLInputElement[] {
    return [...(ref.current?.querySelectorAll<HTMLInputElement>('.tick :checked') ?? [])];
  }

  function clear(): void {
    for (const box of boxes()) {
      box.checked = false;
    }
    look();
  }

  /** Those of them who owe something. */
  function choosePayers(): void {
    const names = boxes()
      .filter(({ value }) => owing.includes(value))
      .map((box) => box.closest('li')?.querySelector('[data-name]')?.textContent ?? '');
    setPayers({ ids: payerIds, names });
  }

  const words = (text: Numbered) =>
    typeof document === 'undefined' ? '' : withNumber(text, count, document.documentElement.lang);
  return (
    <div ref={ref} onChange={look}>
      <div className="selection-bar" hidden={count === 0}>
        <p role="status">{count > 0 && words(texts.selected)}</p>
        {canWrite && (
          <a className="button button-quiet button-small" href={writePath(cohortId, ticked)}>
            <span className="icon icon-mail" />
            {count > 0 && words(texts.write)}
          </a>
        )}
        {payment !== null && payerIds.length > 0 && (
          <OpenButton
            dialogId={payDialogId}
            className="button button-quiet button-small"
            onClick={choosePayers}
          >
            <span className="icon icon-check" />
            {texts.pay}
          </OpenButton>
        )}
        <button type="button" className="button button-quiet button-small" onClick={clear}>
          {texts.clear}
        </button>
      </div>
      {children}
      {payment !== null && (
        <Dialog id={payDialogId} title={payment.texts.title}>
          <EntryForm
            key={payers.ids.join()}
            {...payment}
            cohortId={cohortId}
            dialogId={payDialogId}
            kind="payment"
            enrollmentIds={payers.ids}
            amount={null}
            onDone={clear}
          >
            <p dir="auto">{payers.names.join(', ')}</p>
            <p className="hint">{payment.texts.each}</p>
          </EntryForm>
        </Dialog>
      )}
    </div>
  );
}

function writePath(cohortId: string, ids: readonly string[]): string {
  return `/cohorts/${cohortId}/message?${new URLSearchParams({ to: ids.join() })}`;
}
