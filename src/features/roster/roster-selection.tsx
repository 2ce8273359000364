'use client';

import { type ComponentProps, type ReactNode, useState } from 'react';
import { EntryForm } from '#features/ledger/entry-form.tsx';
import { payDialogId } from '#features/ledger/payment-paths.ts';
import { type Numbered, withNumber } from '#lib/numbered-texts.ts';
import { Dialog, OpenButton } from '#ui/dialog.tsx';
import { useTicked } from '#ui/ticked-rows.ts';
import { writePath } from './roster-paths.ts';

type EntryProps = ComponentProps<typeof EntryForm>;

type RosterSelectionProps = {
  cohortId: string;
  /** Whether emails go out. */
  canWrite: boolean;
  /** Who owes something. */
  owing: { id: string; name: string }[];
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
  const { ref, ticked, look, clear } = useTicked();
  const [payers, setPayers] = useState<typeof owing>([]);
  const count = ticked.length;
  const tickedPayers = owing.filter(({ id }) => ticked.includes(id));

  const words = (text: Numbered) =>
    typeof document === 'undefined' ? '' : withNumber(text, count, document.documentElement.lang);
  return (
    <div ref={ref} onChange={look}>
      <div className="selection-bar" hidden={count === 0}>
        <p role="status" className="flex-1 text-[0.9375rem] font-semibold">
          {count > 0 && words(texts.selected)}
        </p>
        {canWrite && (
          <a className="button button-quiet button-small" href={writePath(cohortId, ticked)}>
            <span className="icon icon-mail" />
            {count > 0 && words(texts.write)}
          </a>
        )}
        {payment !== null && tickedPayers.length > 0 && (
          <OpenButton
            dialogId={payDialogId}
            className="button button-quiet button-small"
            onClick={() => setPayers(tickedPayers)}
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
            key={payers.map(({ id }) => id).join()}
            {...payment}
            cohortId={cohortId}
            dialogId={payDialogId}
            kind="payment"
            enrollmentIds={payers.map(({ id }) => id)}
            amount={null}
            onDone={clear}
          >
            <p dir="auto">{payers.map(({ name }) => name).join(', ')}</p>
            <p className="hint">{payment.texts.each}</p>
          </EntryForm>
        </Dialog>
      )}
    </div>
  );
}
