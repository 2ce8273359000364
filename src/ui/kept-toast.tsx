'use client';

import { useEffect } from 'react';
import { showToast } from './toast.tsx';

const storageKey = 'toast';

/** Keeps a toast for the next page, where the next page is a new document. */
export function keepToast(text: string): void {
  try {
    window.sessionStorage.setItem(storageKey, text);
  } catch {
    // Without session storage, there is no toast; the next page shows the result too.
  }
}

/** Shows the toast that the previous page kept. After `Toasts` on a page, which then listens. */
export function KeptToast() {
  useEffect(() => {
    try {
      const text = window.sessionStorage.getItem(storageKey);
      if (text !== null) {
        window.sessionStorage.removeItem(storageKey);
        showToast(text);
      }
    } catch {
      // As above.
    }
  }, []);
  return null;
}
