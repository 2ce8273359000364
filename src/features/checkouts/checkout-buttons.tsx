'use client';

import { type ReactNode, useState } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import type { Values } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { DialogForm } from '#client/dialog-form.tsx';
import { type ButtonProps, useOutcome } from '#features/cohorts/cohort-button.tsx';
import { Check } from '#features/cohorts/fields.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { minorUnits } from '#lib/price.ts';
import { Field } from '#ui/form.tsx';
import { checkoutPaths } from './checkout-paths.ts';

/** What is said when Stripe has sent money back, or will. */
type RefundTexts = { done: string; wanted: string };

type PayBackProps = Omit<ButtonProps, 'done'> & {
  id: string;
  /** In the smallest unit of the currency. */
  amount: number;
  describedBy: string;
  texts: RefundTexts;
};

/** Pays back an amount at once. A retry after no answer pays back nothing more. */
export function PayBackButton({ id, amount, texts, ...button }: PayBackProps) {
  // The same until there is an answer; what the server renders has none that could be the same.
  const [call] = useState(() => ({ input: { amount_minor: amount }, idempotencyKey: '' }));
  const { show, onFailure } = useOutcome(() => {});
  return (
    <ActionButton
      path={checkoutPaths.refunds(id)}
      call={call}
      mayStart={async () => {
        call.input.amount_minor = amount;
        call.idempotencyKey ||= crypto.randomUUID();
        return true;
      }}
      onDone={({ state }) => {
        call.idempotencyKey = '';
        return show(state === 'done' ? texts.done : texts.wanted);
      }}
      onFailure={(failure) => {
        // What Stripe has refused is another request the next time.
        if (failure.body !== null) {
          call.idempotencyKey = '';
        }
        return onFailure(failure);
      }}
      {...button}
    />
  );
}

type RefundFormProps = {
  id: string;
  dialogId: string;
  currency: string;
  /** What the field has at first: all that can still be paid back. */
  amount: string;
  messages: FormMessages;
  texts: RefundTexts & Record<'amount' | 'waiveRest' | 'submit' | 'submitting' | 'cancel', string>;
  children: ReactNode;
};

const check = checkBySchema(() => import('./schema.ts').then(({ RefundInput }) => RefundInput));

/** Pays back what someone has paid, or a part of it, from its dialog. */
export function RefundForm({ id, dialogId, currency, amount, ...form }: RefundFormProps) {
  const { messages, texts, children } = form;
  const inputOf = ({ amount_minor: typed = '', waive_rest: waives }: Values) => ({
    // What was typed, which the schema refuses, if it is no amount.
    amount_minor: minorUnits(typed, currency, document.documentElement.lang) ?? typed,
    waive_rest: waives === 'on',
  });
  return (
    <DialogForm
      path={checkoutPaths.refunds(id)}
      dialogId={dialogId}
      messages={messages}
      check={(values) => check(inputOf(values))}
      toInput={(values) => {
        const input = inputOf(values);
        // JSON has no NaN: it would say that all is meant. The schema has refused it, if it came.
        return (
          Number.isNaN(input.amount_minor)
            ? { ...input, amount_minor: values['amount_minor'] }
            : input
        ) as never;
      }}
      refusals={['more_than_paid', 'nothing_paid', 'refund_refused']}
      isDangerous
      texts={texts}
      done={({ state }) => (state === 'done' ? texts.done : texts.wanted)}
    >
      {children}
      <Field
        id={`${dialogId}-amount`}
        name="amount_minor"
        label={texts.amount}
        inputMode="decimal"
        autoComplete="off"
        defaultValue={amount}
        required
      />
      <Check id={`${dialogId}-waive`} name="waive_rest" label={texts.waiveRest} />
    </DialogForm>
  );
}
