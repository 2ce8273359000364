import 'server-only';
import { DrizzleQueryError } from 'drizzle-orm';
import type { LogEvent } from '#vocabulary.ts';
import { causesOf } from './causes.ts';
import { withoutSecrets } from './without-secrets.ts';

/**
 * What an event may say besides: ids, counts and words of our own. Never an address, a token, or anything else that was typed.
 */
type LogDetails = { userId?: string; [name: string]: string | number | boolean | undefined };

/** Writes an event down; made once for each request, with its id. */
export type Log = (event: LogEvent, details?: LogDetails) => void;

/** @param requestId leads from the line to the answer that people saw */
export function createLog(requestId: string): Log {
  return function log(event, { userId, ...details } = {}) {
    write('info', { event, request_id: requestId, user_id: userId ?? null, ...details });
  };
}

/** One error of a chain, in words that may leave the worker. */
type FailurePart = { name: string; message: string; stack?: string | undefined };

/**
 * An unexpected failure and what caused it, outermost first. Drizzle puts bound values into message and stack of its errors, so of
 * those only the statement and the frames are kept.
 */
export function describeFailure(error: unknown): [FailurePart, ...FailurePart[]] {
  const [first, ...causes] = causesOf(error).map(describeError);
  return [
    first ?? { name: typeof error, message: 'Something was thrown that is no Error' },
    ...causes,
  ];
}

function describeError(error: Error): FailurePart {
  const { name, message, stack = '' } = error;
  if (!(error instanceof DrizzleQueryError)) {
    return { name, message: withoutValue(message), stack: withoutValue(stack) };
  }
  const told = `Failed query: ${error.query}`;
  const end = stack.indexOf(message) + message.length;
  const frames = stack.includes(message) ? stack.slice(end) : '';
  return { name, message: told, stack: `${name}: ${told}${frames}` };
}

/** D1 repeats a value that it cannot take, and a library may repeat an address with what follows its `?`. */
function withoutValue(text: string): string {
  return withoutSecrets(text.replace(/(not supported for value) '.*'/s, "$1 '…'"));
}

/** Writes an unexpected failure down, as one line of JSON that the request id of the answer leads to. */
export function logFailure(requestId: string, error: unknown): void {
  write('error', { event: 'failure', request_id: requestId, failure: describeFailure(error) });
}

/** One line, whatever is in it: JSON leaves no line breaks or control characters as they are. */
function write(level: 'info' | 'error', line: Record<string, unknown>): void {
  const text = JSON.stringify(line);
  if (level === 'error') {
    console.error(text);
  } else {
    console.info(text);
  }
}
