'use client';

import { useCallback } from 'react';
import { reportFailure } from '#client/failures.ts';
import { useLoadPage } from './use-load-page.ts';

/**
 * Asks for the present page anew, after a write. When it cannot be had, everything stays as it was and the error dialog
 * says so.
 */
export function useRefresh(): () => Promise<void> {
  const loadPage = useLoadPage();
  return useCallback(
    async function refresh() {
      const result = await loadPage(window.location);
      if (!result.ok) {
        reportFailure(result, refresh);
      }
    },
    [loadPage],
  );
}
