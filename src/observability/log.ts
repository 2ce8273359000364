import 'server-only';
import { DrizzleQueryError } from 'drizzle-orm';
import type { LogEvent } from '#vocabulary.ts';
import { causesOf } from './causes.ts';
import { withoutSecrets } from './without-secrets.ts';

/** Ids, counts and our own terms; never an address, a token or other user input. */
type LogDetails = { userId?: string; [name: string]: string | number | boolean | undefined };

/** Logs an event, with the request id. */
export type Log = (event: LogEvent, details?: LogDetails) => void;

/** @param requestId links log lines to the response that the user saw */
export function createLog(requestId: string): Log {
  return function log(event, { userId, ...details } = {}) {
    write('info', { event, request_id: requestId, user_id: userId ?? null, ...details });
  };
}

/** One error of a chain, redacted, so that it may leave the worker. */
type FailurePart = { name: string; message: string; stack?: string | undefined };

/**
 * An unexpected error and its causes, outermost first. Drizzle puts bound values into the message
 * and stack of its errors, so only their statement and frames are kept.
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
  const summary = `Failed query: ${error.query}`;
  const end = stack.indexOf(message) + message.length;
  const frames = stack.includes(message) ? stack.slice(end) : '';
  return { name, message: summary, stack: `${name}: ${summary}${frames}` };
}

/** Removes values that D1 repeats in its errors, and URL queries that libraries may repeat. */
function withoutValue(text: string): string {
  return withoutSecrets(text.replace(/(not supported for value) '.*'/s, "$1 '…'"));
}

/** Logs an unexpected error as one line of JSON, with the request id of the response. */
export function logFailure(requestId: string, error: unknown): void {
  write('error', { event: 'failure', request_id: requestId, failure: describeFailure(error) });
}

/** Always one line, because JSON escapes line breaks and control characters. */
function write(level: 'info' | 'error', line: Record<string, unknown>): void {
  const text = JSON.stringify(line);
  if (level === 'error') {
    console.error(text);
  } else {
    console.info(text);
  }
}
