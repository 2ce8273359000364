'use client';

import { useEffect } from 'react';
import { withStorage } from '#lib/browser-storage.ts';
import { showToast } from './toast.tsx';

const storageKey = 'toast';

/** Keeps a toast for the next page, where the next page is a new document. */
export function keepToast(text: string): void {
  // Without storage, there is no toast; the next page shows the result too.
  withStorage('sessionStorage', (storage) => storage.setItem(storageKey, text));
}

/** Shows the toast that the previous page kept. After `Toasts` on a page, which then listens. */
export function KeptToast() {
  useEffect(() => {
    const text = withStorage('sessionStorage', (storage) => storage.getItem(storageKey));
    if (text !== null) {
      withStorage('sessionStorage', (storage) => storage.removeItem(storageKey));
      showToast(text);
    }
  }, []);
  return null;
}
