import 'server-only';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { MessageDescriptor } from '@lingui/core';
import { createMiddleware } from 'hono/factory';
import { isCohortPage } from './public-paths.ts';
import type { HonoEnv, Variables } from './request-context.ts';

/**
 * The current request, for code without Hono's context: pages, and console output of libraries.
 *
 * Must not reference the response, nor Hono's context, which does: workerd never frees a response
 * that was created while a store was current and that the store references. See
 * docs/upstream/response-kept-by-async-context.mjs.
 */
type CurrentRequest = Pick<Variables, 'ctx' | 'env' | 'requestId' | 'sessionToken'> & {
  /** Whether the page is the same for everyone, so that nothing of a reader may be in it. */
  isForAll: boolean;
  /** The unparsed header; empty for a page for all. */
  cookies: string;
  /** The nonce of the response's policy. */
  nonce: string | undefined;
  /** Set by a page for all that has what it is about: caches may keep it. */
  mayBeKept?: true;
  /** The message for data that a page could not read; see failure-page.ts. */
  unread?: MessageDescriptor;
};

const storage = new AsyncLocalStorage<CurrentRequest>();

/** Makes the request current for all later middleware. Runs after the middleware it reads from. */
export function requestStorage() {
  return createMiddleware<HonoEnv>(async function requestStorage(c, next) {
    const isForAll = isCohortPage(c.req.path);
    const current = {
      ctx: c.get('ctx'),
      env: c.get('env'),
      requestId: c.get('requestId'),
      sessionToken: c.get('sessionToken'),
      isForAll,
      cookies: isForAll ? '' : (c.req.header('Cookie') ?? ''),
      nonce: c.get('secureHeadersNonce'),
    };
    await storage.run(current, next);
  });
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
