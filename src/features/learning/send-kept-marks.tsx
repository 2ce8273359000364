'use client';

import { useEffect } from 'react';
import { useRefresh } from '#router/use-load-page.ts';
import { sendKeptMarks } from './kept-marks.ts';

/** How long until what could not be sent is tried again. */
const retryMs = 15_000;

/** Sends what was pressed without a connection, on whichever page it comes back. Once per page. */
export function SendKeptMarks() {
  const refresh = useRefresh();
  useEffect(() => {
    const send = async () => {
      if (await sendKeptMarks()) {
        await refresh();
      }
    };
    void send();
    window.addEventListener('online', send);
    const timer = setInterval(send, retryMs);
    return () => {
      window.removeEventListener('online', send);
      clearInterval(timer);
    };
  }, [refresh]);
  return null;
}
