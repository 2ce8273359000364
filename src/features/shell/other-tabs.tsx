'use client';

import { useEffect, useState } from 'react';
import type { ApiResult } from '#client/call-api.ts';
import { restoreDraft } from '#client/drafts.ts';
import { leaveSession } from '#client/leave.ts';
import { onTabMessage, tellTabs } from '#client/tabs.ts';
import { useLoadPage } from '#router/use-load-page.ts';
import { typedFields } from '#ui/typed-fields.ts';

/** Keeps this tab in step with others, and restores what was typed before a new login. */
export function OtherTabs({ viewerId }: { viewerId: string }) {
  const loadPage = useLoadPage();
  const [isSettled, setIsSettled] = useState(false);
  // In a second pass: in the first one, fields choose what they contain, such as a time zone.
  useEffect(() => setIsSettled(true), []);
  useEffect(() => {
    if (isSettled) {
      restoreDraft(viewerId);
    }
  }, [isSettled, viewerId]);
  useEffect(() => keepInStep(viewerId, loadPage), [loadPage, viewerId]);
  return null;
}

/**
 * Follows what happens in other tabs: changes, logging in and out. A page on which something is
 * typed is not refreshed; its forms name what they change, so they stay right.
 *
 * @param loadPage fetches the page of this tab again
 * @returns a function that stops it
 */
function keepInStep(viewerId: string, loadPage: (url: Location) => Promise<ApiResult<null>>) {
  let isBehind = false;

  async function catchUp(): Promise<void> {
    if (isBehind && document.visibilityState === 'visible' && typedFields().length === 0) {
      isBehind = false;
      const result = await loadPage(window.location);
      isBehind ||= !result.ok;
    }
  }

  tellTabs({ kind: 'signed-in', viewerId });
  const stopHearing = onTabMessage((message) => {
    if (message.kind === 'signed-out') {
      leaveSession();
    } else if (message.kind === 'changed') {
      isBehind = true;
      void catchUp();
    } else if (message.kind === 'signed-in' && message.viewerId !== viewerId) {
      // Someone else is logged in now, and this page shows the account of the user before.
      window.location.reload();
    }
  });
  document.addEventListener('visibilitychange', catchUp);
  window.addEventListener('focus', catchUp);
  return () => {
    stopHearing();
    document.removeEventListener('visibilitychange', catchUp);
    window.removeEventListener('focus', catchUp);
  };
}
