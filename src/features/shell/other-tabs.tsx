'use client';

import { useEffect } from 'react';
import { loadOrLeave } from '#client/check-by-schema.ts';
import { useLoadPage } from '#router/use-load-page.ts';

/** Keeps this tab in step with others, and with what was typed before a new login. */
export function OtherTabs({ viewerId }: { viewerId: string }) {
  const loadPage = useLoadPage();
  useEffect(() => {
    // Not needed for the page to be ready.
    const keeping = loadOrLeave(() => import('./keep-in-step.ts')).then((script) =>
      script?.keepInStep(viewerId, loadPage),
    );
    return () => void keeping.then((stop) => stop?.());
  }, [loadPage, viewerId]);
  return null;
}
