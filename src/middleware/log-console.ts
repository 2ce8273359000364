import 'server-only';
import { failureOf } from '#observability/failure-of.ts';
import { logFailure } from '#observability/log.ts';
import { tryCurrentRequest } from './request-storage.ts';

/** Waku's words before what has broken a page, which it tells nobody else. */
const brokenPage = 'Error during rendering:';

/**
 * Takes over what libraries write to the console while a request is answered: each becomes one line like all others, with the request's
 * id. What has broken a page is reported too. Nothing else is: the one who complains may be the reporter.
 */
export function logConsole(): void {
  for (const level of ['error', 'warn'] as const) {
    // biome-ignore lint/suspicious/noConsole: this is where its lines go through -- not one of our own.
    const write = console[level];
    console[level] = (...said: unknown[]) => {
      const current = tryCurrentRequest();
      if (current === undefined || isOurLine(said)) {
        write.apply(console, said);
      } else if (said[0] === brokenPage) {
        current.ctx.observe.fail(failureOf(said));
      } else {
        logFailure(current.requestId, failureOf(said));
      }
    };
  }
}

/** As observability/log.ts writes them. */
function isOurLine([line]: unknown[]): boolean {
  return typeof line === 'string' && line.startsWith('{"event":');
}
