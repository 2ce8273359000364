import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { errors } from '#vocabulary.ts';
import { connectionLost } from './errors.ts';

/** What a form says about a failed request, where the server does not say it. */
export type ProblemTexts = {
  connectionLost: string;
  internal: string;
  /** For 429, if the server says when to try again: `{when}` is “in 2 minutes” or “now”. */
  waiting: string;
};

/** The texts in one language. */
export function problemTexts(i18n: I18n): ProblemTexts {
  // The browser knows.
  const when = '{when}';
  return {
    connectionLost: i18n._(connectionLost),
    internal: i18n._(errors.internal.text),
    waiting: i18n._(msg`You’ve made too many requests. You can try again ${when}.`),
  };
}
