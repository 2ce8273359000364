import 'server-only';
import { DrizzleQueryError } from 'drizzle-orm';
import { causesOf } from './causes.ts';

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
  console.error(JSON.stringify({ event: 'failure', request_id: requestId, failure }));
}
