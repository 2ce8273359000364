import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { LedgerKind, PaymentMethod } from '#db/values.ts';
import { methodWords } from '#email/letters/receipts.ts';
import { type FormMessages, formMessages } from '#i18n/validation.ts';
import { fullPriceOf, priceOf } from '#lib/price.ts';
import { dayRange } from '#lib/time/words.ts';
import { pick } from '#lib/to-json.ts';
import { validationTexts } from '#vocabulary.ts';
import type { Balance, BalanceState, LedgerEntry } from './schema.ts';
import { validation } from './vocabulary.ts';

/** How money changed hands, in the owner's own word if there is one. */
export function methodName(i18n: I18n, method: PaymentMethod, word: string | null): string {
  return word ?? i18n._(methodWords[method]);
}

/** What entries of a kind are called, and those that reverse one. */
const kindWords: Record<LedgerKind, [MessageDescriptor, MessageDescriptor]> = {
  charge: [msg`Charge`, msg`Charge reversed`],
  payment: [msg`Payment`, msg`Payment reversed`],
  refund: [msg`Refund`, msg`Refund reversed`],
  waiver: [msg`Waiver`, msg`Waiver reversed`],
};

/** What an entry is called. */
export function entryName(i18n: I18n, { kind, reverses_id: reverses }: LedgerEntry): string {
  const [own, reversal] = kindWords[kind];
  return i18n._(reverses === null ? own : reversal);
}

/** How and when money changed hands, where it comes from, and what is noted. */
export function entryDetails(i18n: I18n, entry: LedgerEntry): string {
  const { method, method_word: word, received_on: day, reverses_id: reverses } = entry;
  const { kind } = entry;
  const online = kind === 'payment' ? msg`Paid online` : msg`Sent back by Stripe`;
  const how =
    method === null || day === null || reverses !== null
      ? []
      : [
          method === 'online' ? i18n._(online) : methodName(i18n, method, word),
          dayRange(day, day, i18n.locale),
        ];
  const moved = entry.source === 'move' ? [i18n._(msg`Moved with the place`)] : [];
  return [...how, ...moved, ...(entry.note === null ? [] : [entry.note])].join(' · ');
}

/** An amount, with a sign where money came or went, or where another entry is taken back. */
export function signedAmount(i18n: I18n, entry: LedgerEntry): string {
  const { kind, amount_minor: amount, currency, reverses_id: reverses } = entry;
  const isMoney = kind === 'payment' || kind === 'refund';
  const shown = fullPriceOf(Math.abs(amount), currency, i18n.locale);
  if (!isMoney) {
    return reverses === null ? shown : `−${shown}`;
  }
  return amount > 0 ? `−${shown}` : `+${shown}`;
}

/** What an account says, in a word or two. */
export function stateWords(i18n: I18n, account: Balance, currency: string | null): string {
  return account.refunding_minor > 0
    ? i18n._(msg`Refunding`)
    : account.to_settle
      ? i18n._(msg`Left: refund, waive or keep?`)
      : balanceWords(i18n, { ...account, balance: account.balance_minor }, currency);
}

/** What a balance says. */
export function balanceWords(
  i18n: I18n,
  { balance, state }: { balance: number; state: BalanceState },
  currency: string | null,
): string {
  const amount = currency === null ? '' : priceOf(Math.abs(balance), currency, i18n.locale);
  const texts = {
    owes: msg`Owes ${amount}`,
    partly_paid: msg`Owes ${amount}`,
    overpaid: msg`Overpaid by ${amount}`,
    paid: msg`Paid`,
    waived: msg`Waived`,
    refunded: msg`Refunded`,
    free: msg`Not charged`,
  };
  return i18n._(texts[state]);
}

/** The day on which someone was erased; empty for others. */
export function dayOfErasure(i18n: I18n, { erased_at: erasedAt }: Balance): string {
  const day = erasedAt?.slice(0, 10);
  return day === undefined ? '' : dayRange(day, day, i18n.locale);
}

/** The name of someone, or what stands in its place once they are erased. */
export function nameOf(
  i18n: I18n,
  { name, erased_no: number }: { name: string | null; erased_no: number | null },
): string {
  const numberOf = number ?? 0;
  return name ?? i18n._(msg`Erased person no. ${numberOf}`);
}

const validationOfEntries = {
  ...validation,
  ...pick(validationTexts, [
    'amount_currency',
    'amount_digits',
    'amount_unclear',
    'date_required',
    'date_invalid',
    'text_characters',
  ]),
};

export function entryMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, validationOfEntries);
}
