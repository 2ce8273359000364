'use client';

import { useCallback } from 'react';
import { reportFailure } from '#client/failures.ts';
import { useLoadPage } from './use-load-page.ts';

/**
 * Reloads the current page's data after a write. If that fails, nothing changes and the error dialog
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
