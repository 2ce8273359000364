import 'server-only';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { MessageDescriptor } from '@lingui/core';
import type { Context, Next } from 'hono';
import { kindOf } from './path-kinds.ts';
import type { HonoEnv, Variables } from './request-context.ts';

/**
 * The current request, for code without Hono's context: pages, and console output of libraries.
 *
 * Must not reference the response, nor Hono's context, which does: workerd never frees a response
 * that was created while a store was current and that the store references. See
 * docs/upstream/response-kept-by-async-context.mjs.
 */
type CurrentRequest = Pick<
  Variables,
  'ctx' | 'env' | 'requestId' | 'sessionToken' | 'learnerDevice'
> & {
  /** Whether the page is for people without an account: nothing of the browser may be in it. */
  isForParticipants: boolean;
  /** The unparsed header; empty for such a page. */
  cookies: string;
  /** The nonce of the response's policy. */
  nonce: string | undefined;
  /** Set by a public page that exists: caches may keep it. */
  isCacheable?: true;
  /** Set by missing-page.tsx: the status becomes 404; see failure-page.ts. */
  isMissing?: true;
  /** The message for data that a page could not read; see failure-page.ts. */
  unread?: MessageDescriptor;
};

const storage = new AsyncLocalStorage<CurrentRequest>();

/** Makes the request current for all later middleware. Runs after the middleware it reads from. */
export async function requestStorage(c: Context<HonoEnv>, next: Next) {
  const { isForParticipants } = kindOf(c.req.path);
  const current = {
    ctx: c.get('ctx'),
    env: c.get('env'),
    requestId: c.get('requestId'),
    sessionToken: c.get('sessionToken'),
    learnerDevice: c.get('learnerDevice'),
    isForParticipants,
    cookies: isForParticipants ? '' : (c.req.header('Cookie') ?? ''),
    nonce: c.get('secureHeadersNonce'),
  };
  await storage.run(current, next);
}

/** Undefined outside a request, such as at build time. */
export function tryCurrentRequest(): CurrentRequest | undefined {
  return storage.getStore();
}

/** @throws Error outside a request */
export function currentRequest(): CurrentRequest {
  const current = tryCurrentRequest();
  if (current === undefined) {
    throw new Error('No request is being answered');
  }
  return current;
}
