import 'server-only';
import { failureOf } from '#observability/failure-of.ts';
import { logFailure } from '#observability/log.ts';
import { tryCurrentRequest } from './request-storage.ts';

/** Waku's prefix for rendering errors, which it reports only to the console. */
const brokenPage = 'Error during rendering:';

/**
 * Turns what libraries write to the console during a request into log lines with the request id.
 * Also reports rendering errors, but nothing else, because the writer may be the error reporter.
 */
export function logConsole(): void {
  for (const level of ['error', 'warn'] as const) {
    // biome-ignore lint/suspicious/noConsole: this is where its lines go through -- not one of our own.
    const write = console[level];
    console[level] = (...args: unknown[]) => {
      const current = tryCurrentRequest();
      // As observability/log.ts writes them.
      const isOurLine = typeof args[0] === 'string' && args[0].startsWith('{"event":');
      if (current === undefined || isOurLine) {
        write.apply(console, args);
      } else if (args[0] === brokenPage) {
        current.ctx.observe.fail(failureOf(args));
      } else {
        logFailure(current.requestId, failureOf(args));
      }
    };
  }
}
