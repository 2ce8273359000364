import { useCallback } from 'react';
import { unstable_getErrorInfo as errorInfoOf, useFetchRsc_UNSTABLE } from 'waku/minimal/client';
import {
  unstable_encodeRoutePath as encodeRoutePath,
  unstable_pathnameToRoutePath as toRoutePath,
} from 'waku/router/client-core';
import type { ApiFailure } from '#client/call-api.ts';

/** What a page consists of, as Waku names it. */
export type Elements = Awaited<ReturnType<ReturnType<typeof useFetchRsc_UNSTABLE>>>;

export type FetchPage = (
  url: URL | Location,
  signal?: AbortSignal,
) => Promise<{ ok: true; elements: Elements } | ApiFailure>;

/** Fetches the payload of a page. The function never throws, and changes nothing. */
export function useFetchPage(): FetchPage {
  const fetchRsc = useFetchRsc_UNSTABLE();
  return useCallback(
    async ({ pathname, search }, signal) => {
      const query = new URLSearchParams({ query: search.slice(1) });
      try {
        const path = encodeRoutePath(toRoutePath(pathname));
        const elements = await fetchRsc(path, query, signal ? { signal } : {});
        signal?.throwIfAborted();
        return { ok: true, elements };
      } catch (error) {
        const { status, unstable_networkError: isNetworkError } = errorInfoOf(error) ?? {};
        return status === undefined
          ? {
              ok: false,
              status: null,
              body: null,
              thrown: isNetworkError ? new TypeError('Network error') : error,
            }
          : { ok: false, status, body: null };
      }
    },
    [fetchRsc],
  );
}
