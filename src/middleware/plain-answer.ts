import 'server-only';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { HonoEnv } from './request-context.ts';

/** A refusal in words, where neither a page nor the API answers, with the number that leads to the log. */
export function plainAnswer(
  c: Context<HonoEnv>,
  status: ContentfulStatusCode,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return c.text(`${message}\n${c.get('requestId')}\n`, status, headers);
}
