import 'server-only';
import { tryGetContext } from 'hono/context-storage';
import { fail, type HonoEnv } from './request-context.ts';

/**
 * Takes over what libraries write to the console while a request is answered. Waku tells nobody else what has broken a page, in a text
 * that says neither which request it was nor that it is one line: it becomes a failure like every other, with the request's id, in the log
 * and in the reports.
 */
export function takeOverConsole(): void {
  for (const level of ['error', 'warn'] as const) {
    // biome-ignore lint/suspicious/noConsole: this is where its lines go through -- not one of our own.
    const write = console[level];
    console[level] = (...said: unknown[]) => {
      const c = tryGetContext<HonoEnv>();
      if (c === undefined || isOurLine(said)) {
        write.apply(console, said);
      } else {
        fail(c, failureOf(said));
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
