import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { errors } from '#vocabulary.ts';
import { connectionUnsupportedPlayer, sessionExpired } from './errors.ts';
import { problemTexts } from './validation.ts';

const tryAgain = msg`Try Again`;
const retry = msg`Retry`;
const inAMoment = msg`Something went wrong on our side. Please try again in a moment.`;

/** The table of the error dialog: a title, a message and, if there is one, a button. */
const kinds = {
  400: [msg`Bad Request`, msg`Please check your input and try again.`],
  401: [msg`Authentication Required`, sessionExpired, msg`Go to Login`],
  403: [msg`Access Denied`, msg`You don’t have permission to do this.`],
  404: [msg`Not Found`, msg`We couldn’t find that. It may have been deleted.`],
  422: [msg`Validation Error`, msg`Please check your input and try again.`],
  429: [
    msg`Too Many Requests`,
    msg`You’ve made too many requests. Please wait a moment and try again.`,
    tryAgain,
  ],
  500: [msg`Server Error`, inAMoment, retry],
  503: [
    msg`Service Unavailable`,
    msg`Lectern isn’t available right now. Please try again in a moment.`,
    retry,
  ],
  network: [msg`Network Error`, connectionUnsupportedPlayer, retry],
  other: [msg`Request Failed`, errors.internal.text, retry],
  error: [msg`Error`, errors.internal.text],
  unknown: [msg`Unknown Error`, errors.internal.text],
} as const;

export type FailureTexts = ReturnType<typeof failureTexts>;

/** The texts of the error dialog, in one language. */
export function failureTexts(i18n: I18n) {
  const entries = Object.entries(kinds).map(([kind, texts]) => [
    kind,
    texts.map((text) => i18n._(text)),
  ]);
  return {
    // It has the keys and list lengths of `kinds`.
    kinds: Object.fromEntries(entries) as Record<
      keyof typeof kinds,
      readonly [title: string, text: string, action?: string]
    >,
    waiting: problemTexts(i18n).waiting,
    /** Added if something is typed on the page. */
    draftKept: i18n._(msg`What you typed is still here.`),
    reference: i18n._(msg`Reference`),
    copy: i18n._(msg`Copy`),
    copied: i18n._(msg`Copied`),
    close: i18n._(msg`Close`),
  };
}
