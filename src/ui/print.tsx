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

/** How a page looks on paper. Only pages that are printed load it, and no screen waits for it. */
export function PrintStyles() {
  return <link rel="stylesheet" href="/print.css" media="print" />;
}
