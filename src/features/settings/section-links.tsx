'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import { loadOrLeave } from '#client/check-by-schema.ts';

/** Links within the page: the clicked one is current or, after scrolling, the one in view. */
export function SectionLinks({ label, children }: { label: string; children: ReactNode }) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const nav = ref.current;
    const controller = new AbortController();
    // Phones do not show it.
    if (nav?.checkVisibility()) {
      void loadOrLeave(() => import('./follow-sections.ts')).then((loaded) => {
        loaded?.followSections(nav, controller.signal);
      });
    }
    return () => controller.abort();
  }, []);
  return (
    <nav ref={ref} aria-label={label} className="section-links">
      {children}
    </nav>
  );
}
