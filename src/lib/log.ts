import 'server-only';
import { DrizzleQueryError } from 'drizzle-orm';
import { causesOf } from './causes.ts';

/** What an operator may want to know of afterwards: who got in or was refused, and what was changed for good. */
export type LogEvent =
  | 'account_changed'
  | 'account_deleted'
  | 'account_exported'
  | 'address_change_requested'
  | 'address_changed'
  | 'address_undeliverable'
  | 'cleaned_up'
  | 'csrf_refused'
  | 'google_refused'
  | 'google_signed_in'
  | 'limiter_failed'
  | 'link_refused'
  | 'link_requested'
  | 'link_spent'
  | 'logged_out'
  | 'mail_budget'
  | 'mail_withheld'
  | 'notice_not_sent'
  | 'proof_demanded'
  | 'rate_limited'
  | 'session_refused'
  | 'sessions_ended'
  | 'signed_up'
  | 'webhook_refused'
  | 'webhook_repeated';

/**
 * What an event may say besides: ids, counts and words of our own. Never an address, a token, or anything else that was typed.
 */
export type LogDetails = { userId?: string; [name: string]: string | number | undefined };

/** Writes an event down; made once for each request, with its id. */
export type Log = (event: LogEvent, details?: LogDetails) => void;

/** @param requestId leads from the line to the answer that people saw */
export function createLog(requestId: string): Log {
  return function log(event, { userId, ...details } = {}) {
    write('info', { event, request_id: requestId, user_id: userId ?? null, ...details });
  };
}

/**
 * Writes an unexpected failure down, as one line of JSON that the request id of the answer leads to.
 * Drizzle puts bound values into message and stack of its errors, so of those only the statement is kept.
 */
export function logFailure(requestId: string, error: unknown): void {
  const causes = causesOf(error).map((cause) =>
    cause instanceof DrizzleQueryError
      ? { name: cause.name, message: `Failed query: ${cause.query}` }
      : { name: cause.name, message: cause.message, stack: cause.stack },
  );
  const failure = causes.length > 0 ? causes : [{ name: typeof error }];
  write('error', { event: 'failure', request_id: requestId, failure });
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
