'use client';

import type { ReactNode } from 'react';
import type { Values } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { DialogForm } from '#client/dialog-form.tsx';
import type { LedgerKind } from '#db/values.ts';
import { Check, Select } from '#features/cohorts/fields.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { minorUnits, priceOf } from '#lib/price.ts';
import { Field } from '#ui/form.tsx';
import type { entryTexts } from './ledger-parts.tsx';
import { paymentPaths } from './payment-paths.ts';

export type EntryTexts = ReturnType<typeof entryTexts> & {
  /** The box that ends what is owed; only of refunds. */
  waiveRest?: string;
  submit: string;
  done: string;
};

type EntryFormProps = {
  dialogId: string;
  cohortId: string;
  kind: LedgerKind;
  enrollmentIds: string[];
  currency: string;
  /** What the field has at first; without one, it is all that each of them owes. */
  amount: string | null;
  today: string;
  /** What one person owes, in the smallest unit: less of it is said to be a part. */
  due?: number | undefined;
  waivesRest?: boolean;
  messages: FormMessages;
  texts: EntryTexts;
  children?: ReactNode;
  onDone?: () => void;
};

const check = checkBySchema(() => import('./schema.ts').then(({ LedgerInput }) => LedgerInput));

const refusals = [
  'charged_already',
  'more_than_owed',
  'more_than_paid',
  'nothing_owed',
  'nothing_paid',
  'price_required',
];

/** Writes an entry to the account of someone, or of several people at once. */
export function EntryForm(props: EntryFormProps) {
  const { dialogId, cohortId, kind, enrollmentIds, currency, texts } = props;
  const hasMoney = kind === 'payment' || kind === 'refund';
  const id = (name: string) => `${dialogId}-${name}`;
  const inputOf = ({ amount_minor: typed, waive_rest: waives, ...values }: Values) => ({
    kind,
    enrollments: enrollmentIds,
    // What was typed, which the schema refuses, if it is no amount.
    amount_minor:
      typed === undefined
        ? null
        : (minorUnits(typed, currency, document.documentElement.lang) ?? typed),
    ...(hasMoney && {
      method: values['method'],
      method_word: values['method'] === 'other' ? (values['method_word'] ?? null) : null,
      received_on: values['received_on'],
    }),
    note: values['note'] ?? null,
    waive_rest: waives === 'on',
  });
  function doneText(entries: { amount_minor: number }[]): string {
    const rest = (props.due ?? 0) + (entries[0]?.amount_minor ?? 0);
    if (kind !== 'payment' || props.due === undefined || rest <= 0) {
      return texts.done;
    }
    const locale = document.documentElement.lang;
    return texts.donePart
      .replace('{paid}', priceOf(props.due - rest, currency, locale))
      .replace('{rest}', priceOf(rest, currency, locale));
  }

  return (
    <DialogForm
      path={paymentPaths.ledger(cohortId)}
      dialogId={dialogId}
      messages={props.messages}
      check={(values) => check(inputOf(values))}
      toInput={(values) => {
        const input = inputOf(values);
        const { amount_minor: amount } = input;
        // JSON has no NaN: it would say that all is meant. The schema has refused it, if it came.
        const sent = Number.isNaN(amount) ? values['amount_minor'] : amount;
        return { ...input, amount_minor: sent } as never;
      }}
      refusals={refusals}
      texts={texts}
      done={({ entries }) => doneText(entries)}
      {...(props.onDone && { onDone: props.onDone })}
    >
      {props.children}
      {props.amount !== null && (
        <Field
          id={id('amount')}
          name="amount_minor"
          label={texts.amount}
          inputMode="decimal"
          autoComplete="off"
          defaultValue={props.amount}
          required
        />
      )}
      {hasMoney && (
        <div className="field-pair">
          <Field
            id={id('day')}
            name="received_on"
            type="date"
            label={texts.day}
            defaultValue={props.today}
            required
          />
          <Select id={id('method')} name="method" label={texts.method} defaultValue="transfer">
            {texts.methods.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
          <div className="method-word">
            <Field
              id={id('word')}
              name="method_word"
              label={texts.word}
              hint={texts.wordHint}
              autoComplete="off"
              dir="auto"
            />
          </div>
        </div>
      )}
      <Field
        id={id('note')}
        name="note"
        label={texts.note}
        hint={texts.noteHint}
        autoComplete="off"
        dir="auto"
      />
      {texts.waiveRest !== undefined && (
        <Check
          id={id('waive')}
          name="waive_rest"
          label={texts.waiveRest}
          defaultChecked={props.waivesRest === true}
        />
      )}
    </DialogForm>
  );
}
