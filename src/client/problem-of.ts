import type { ProblemTexts } from '#i18n/problems.ts';
import type { ApiFailure } from './call-api.ts';
import { timeUntil } from './time-until.ts';

/** The message for a failed request: the server's, which is in the user's language, or our own. */
export function problemOf(failure: ApiFailure, texts: ProblemTexts): string {
  if (failure.status === null) {
    return texts.connectionLost;
  }
  if (failure.status === 429 && failure.retryAt !== undefined) {
    return texts.waiting.replace('{when}', timeUntil(failure.retryAt, Date.now()));
  }
  return failure.body?.message ?? texts.internal;
}
