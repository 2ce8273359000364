import 'server-only';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { MessageDescriptor } from '@lingui/core';
import { createMiddleware } from 'hono/factory';
import type { HonoEnv, Variables } from './request-context.ts';

/**
 * What code without Hono's context can ask of the request that it works for: pages, and what
 * libraries write to the console.
 *
 * Nothing in here may lead to the response, so not to Hono's context either: workerd never frees a
 * response that was made while a store was current and that the store leads to. See
 * docs/upstream/response-kept-by-async-context.mjs.
 */
type CurrentRequest = Pick<Variables, 'ctx' | 'env' | 'requestId' | 'sessionToken'> & {
  /** The header as it came. */
  cookies: string;
  /** The nonce of the response's policy. */
  nonce: string | undefined;
  /** What a page could not read, in words for its reader; see failure-page.ts. */
  unread?: MessageDescriptor;
};

const storage = new AsyncLocalStorage<CurrentRequest>();

/**
 * Makes the request current for all that is inside. Stands behind the middleware that finds out
 * what it holds.
 */
export function requestStorage() {
  return createMiddleware<HonoEnv>(async function requestStorage(c, next) {
    const current = {
      ctx: c.get('ctx'),
      env: c.get('env'),
      requestId: c.get('requestId'),
      sessionToken: c.get('sessionToken'),
      cookies: c.req.header('Cookie') ?? '',
      nonce: c.get('secureHeadersNonce'),
    };
    await storage.run(current, next);
  });
}

/** Undefined where no request is being answered, such as at build time. */
export function tryCurrentRequest(): CurrentRequest | undefined {
  return storage.getStore();
}

/** @throws Error where no request is being answered */
export function currentRequest(): CurrentRequest {
  const current = tryCurrentRequest();
  if (current === undefined) {
    throw new Error('No request is being answered');
  }
  return current;
}
