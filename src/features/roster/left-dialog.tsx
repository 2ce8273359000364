'use client';

import { useState } from 'react';
import { checkBySchema } from '#client/check-by-schema.ts';
import { DialogForm } from '#client/dialog-form.tsx';
import { Check } from '#features/cohorts/fields.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { priceOf } from '#lib/price.ts';
import { Dialog } from '#ui/dialog.tsx';
import { Choice, Field } from '#ui/form.tsx';
import { PersonDisc } from '#ui/person-disc.tsx';
import type { leftTexts } from './left-texts.ts';
import { leftPath } from './roster-paths.ts';

/** What someone still owes and has paid, as its owner sees it; and of that, what Stripe sends back. */
export type SeenAccount = { due: number; paid: number; online: number };

type LeftDialogProps = {
  id: string;
  cohortId: string;
  enrollmentId: string;
  personId: string;
  name: string;
  /** Since when they are enrolled; null for someone who is not. */
  since: string | null;
  account: SeenAccount;
  currency: string | null;
  locale: string;
  /** Whether they have left already, and only their account is decided about. */
  isSettling?: boolean;
  /** Whether they can be told by email. */
  canTell: boolean;
  messages: FormMessages;
  texts: ReturnType<typeof leftTexts>;
};

const check = checkBySchema(() => import('./schema.ts').then(({ LeftInput }) => LeftInput));

/** Ends the place of someone who has told their instructor so, and decides about the money. */
export function LeftDialog(props: LeftDialogProps) {
  const { id, cohortId, enrollmentId, account, isSettling = false, canTell, texts } = props;
  const { due, paid, online } = account;
  const [choice, setChoice] = useState<string | null>(null);
  const currency = props.currency ?? '';
  const money = (minor: number) => currency && priceOf(minor, currency, props.locale);
  const values: Record<string, string> = {
    name: props.name,
    since: props.since ?? '',
    paid: money(paid),
    rest: money(due),
    total: money(paid + due),
    online: money(online),
    byHand: money(paid - online),
  };
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole);
  const hasMoney = due > 0 || paid > 0;
  const standing = [
    ...(props.since === null ? [] : [texts.enrolled]),
    ...(hasMoney ? [due > 0 ? texts.paidPart : texts.paid] : []),
  ];
  const { refund, refundWays, othersWaived, waive, waiveRest, keepDue, keepPaid } = texts.money;
  const way = online === 0 ? 'byHand' : online >= paid ? 'online' : 'both';
  const refundDescription = [refundWays[way], ...(due > 0 ? [othersWaived] : [])].join(' ');
  const options = [
    ...(paid > 0 ? [{ value: 'refund', label: refund, description: refundDescription }] : []),
    ...(due > 0 ? [{ value: 'waive', ...(paid > 0 ? waiveRest : waive) }] : []),
    { value: 'keep', ...(due > 0 ? keepDue : keepPaid) },
  ].map(({ value, label, description }) => ({
    value,
    label: fill(label),
    description: fill(description),
  }));
  const own = isSettling ? texts.settle : texts.left;
  const inputOf = ({ money = null, note = null, notify }: Record<string, string | null>) => ({
    money: money as 'refund' | 'waive' | 'keep' | null,
    balance_minor: due,
    paid_minor: paid,
    ...(!isSettling && { note, notify: canTell && notify === 'on' }),
  });
  return (
    <Dialog id={id} title={fill(own.title)}>
      {/* Above the title, which stays first in the markup. */}
      <div className="-order-1 flex items-center gap-3">
        <PersonDisc id={props.personId} name={props.name} />
        <p className="grid min-w-0 wrap-anywhere">
          <strong dir="auto">{props.name}</strong>
          <span className="text-sm text-muted">{standing.map(fill).join(' · ')}</span>
        </p>
      </div>
      <DialogForm
        path={leftPath(cohortId, enrollmentId, isSettling ? 'settle' : 'left')}
        dialogId={id}
        messages={props.messages}
        check={(typed) => check(inputOf(typed))}
        toInput={inputOf}
        refusals={[
          'balance_changed',
          'cohort_in_trash',
          'enrollment_transition',
          'nothing_owed',
          'nothing_paid',
        ]}
        isReady={!hasMoney || choice !== null}
        texts={{ ...own, cancel: texts.cancel }}
        done={own.done}
        // The row and its button may be gone.
        onDone={() => document.getElementById(id)?.closest<HTMLElement>('.people')?.focus()}
      >
        {!isSettling && <p>{fill(texts.left.explanation)}</p>}
        {hasMoney && (
          <div onChange={({ target }) => setChoice((target as HTMLInputElement).value)}>
            <Choice id={`${id}-money`} name="money" legend={texts.moneyLegend} options={options} />
          </div>
        )}
        {!isSettling && (
          <Field
            id={`${id}-note`}
            name="note"
            label={texts.note}
            hint={fill(texts.noteHint)}
            autoComplete="off"
            dir="auto"
          />
        )}
        {!isSettling && canTell && (
          <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
            <Check id={`${id}-notify`} name="notify" label={fill(texts.tell)} defaultChecked />
            <a
              className="link"
              href={`/cohorts/${cohortId}/emails/left_by_owner`}
              target="_blank"
              rel="noreferrer"
            >
              {texts.preview}
            </a>
          </div>
        )}
      </DialogForm>
    </Dialog>
  );
}
