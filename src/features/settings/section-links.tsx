'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import { loadOrLeave } from '#client/check-by-schema.ts';

/** Links within the page: the clicked one is current or, after scrolling, the one in view. */
export function SectionLinks({ label, children }: { label: string; children: ReactNode }) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const controller = new AbortController();
    void loadOrLeave(() => import('./follow-sections.ts')).then((loaded) => {
      if (ref.current !== null) {
        loaded?.followSections(ref.current, controller.signal);
      }
    });
    return () => controller.abort();
  }, []);
  return (
    <nav ref={ref} aria-label={label} className="section-links">
      {children}
    </nav>
  );
}
