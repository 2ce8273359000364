import 'server-only';
import { logFailure } from '#lib/log.ts';
import { tryCurrentRequest } from './request-storage.ts';

/** Waku's words before what has broken a page, which it tells nobody else. */
const brokenPage = 'Error during rendering:';

/**
 * Takes over what libraries write to the console while a request is answered: each becomes one line like all others, with the request's
 * id. What has broken a page is reported too. Nothing else is: the one who complains may be the reporter.
 */
export function takeOverConsole(): void {
  for (const level of ['error', 'warn'] as const) {
    // biome-ignore lint/suspicious/noConsole: this is where its lines go through -- not one of our own.
    const write = console[level];
    console[level] = (...said: unknown[]) => {
      const current = tryCurrentRequest();
      if (current === undefined || isOurLine(said)) {
        write.apply(console, said);
      } else if (said[0] === brokenPage) {
        current.ctx.fail(failureOf(said));
      } else {
        logFailure(current.requestId, failureOf(said));
      }
    };
  }
}

/** As lib/log.ts writes them. */
function isOurLine([line]: unknown[]): boolean {
  return typeof line === 'string' && line.startsWith('{"event":');
}

/** An error once more, of one that Waku has put on one line with its stack, or of any other words. */
function failureOf(said: unknown[]): Error {
  const known = said.find((part) => part instanceof Error);
  if (known !== undefined) {
    return known;
  }
  const text = said.map(String).join(' ').replaceAll('\\n', '\n');
  const [, name, message = text, frames = ''] =
    /^(?:Error during rendering: )?(?:(\w*Error): )?(.*?)((?:\n\s+at .*)*)$/s.exec(text) ?? [];
  const failure = new Error(message);
  failure.name = name ?? 'Error';
  failure.stack = `${failure.name}: ${message}${frames}`;
  return failure;
}
