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
    const observer = new IntersectionObserver(async ([entry]) => {
      if (nav !== null && entry?.isIntersecting) {
        observer.disconnect();
        const loaded = await loadOrLeave(() => import('./follow-sections.ts'));
        loaded?.followSections(nav, controller.signal);
      }
    });
    if (nav !== null) {
      observer.observe(nav);
    }
    return () => {
      observer.disconnect();
      controller.abort();
    };
  }, []);
  return (
    <nav ref={ref} aria-label={label} className="section-links">
      {children}
    </nav>
  );
}
