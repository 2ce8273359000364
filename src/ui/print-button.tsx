'use client';

import type { ReactNode } from 'react';

/** Opens the browser's own dialog to print the page. */
export function PrintButton({ className, children }: { className: string; children: ReactNode }) {
  return (
    <button type="button" className={`${className} noscript:hidden`} onClick={() => window.print()}>
      {children}
    </button>
  );
}
