'use client';

import { useEffect } from 'react';
import { onTabMessage } from '#client/tabs.ts';
import { writeCookie } from '#lib/browser-storage.ts';
import { returnCookie, returnCookieSeconds } from '#lib/return-path.ts';

type WayBackProps = {
  /** The page that a sign-in is for; null if it is for none. */
  returnPath: string | null;
  home: string;
};

/**
 * Tells the server which page a sign-in of this browser is for, whichever way it happens. If it
 * happens in another tab, this one goes there too.
 */
export function WayBack({ returnPath, home }: WayBackProps) {
  useEffect(() => {
    if (returnPath !== null) {
      writeCookie(returnCookie, encodeURIComponent(returnPath), returnCookieSeconds);
    }
    return onTabMessage(({ kind }) => {
      if (kind === 'signed-in') {
        window.location.assign(returnPath ?? home);
      }
    });
  }, [returnPath, home]);
  return null;
}
