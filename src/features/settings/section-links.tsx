'use client';

import { type ReactNode, useEffect, useRef } from 'react';

/** The visible parts of a section at which the current one is determined again. */
const thresholds = [0, 0.25, 0.5, 0.75, 1];

/** Events with which people begin to scroll. */
const scrollEvents = ['wheel', 'touchmove', 'keydown', 'pointerdown'];

/** Links within the page: the clicked one is current or, after scrolling, the one in view. */
export function SectionLinks({ label, children }: { label: string; children: ReactNode }) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const controller = new AbortController();
    if (ref.current !== null) {
      followSections(ref.current, controller.signal);
    }
    return () => controller.abort();
  }, []);
  return (
    <nav
      ref={ref}
      aria-label={label}
      // Only beside the sections: above them, it would be in the way.
      className="section-links sticky top-6 hidden max-h-[calc(100dvh-3rem)] gap-4 self-start overflow-y-auto text-sm/5 @min-[54rem]:grid"
    >
      {children}
    </nav>
  );
}

/**
 * Keeps the link to the section in view marked as current.
 *
 * @param nav the links to the sections
 * @param signal stops it
 */
function followSections(nav: HTMLElement, signal: AbortSignal): void {
  const links = [...nav.querySelectorAll('a')];
  let sections: HTMLElement[] = [];
  let isChosen = false;

  function mark(hash: string): void {
    for (const link of links) {
      if (link.hash === hash) {
        link.setAttribute('aria-current', 'location');
      } else {
        link.removeAttribute('aria-current');
      }
    }
  }

  function beginScrolling(): void {
    isChosen = false;
  }

  /** A form that was saved can have new sections in the place of the old ones. */
  function observeSections(): void {
    observer.disconnect();
    sections = links.flatMap(({ hash }) => document.getElementById(hash.slice(1)) ?? []);
    for (const section of sections) {
      observer.observe(section);
    }
  }

  function followScrolling(): void {
    if (sections.some(({ isConnected }) => !isConnected)) {
      observeSections();
    }
    const current = sections.findLast(isReached) ?? sections[0];
    if (!isChosen && current !== undefined) {
      mark(`#${current.id}`);
    }
  }

  function followAddress(): void {
    const { hash } = window.location;
    isChosen = links.some((link) => link.hash === hash);
    if (isChosen) {
      mark(hash);
    } else {
      followScrolling();
    }
  }

  const observer = new IntersectionObserver(followScrolling, { threshold: thresholds });
  observeSections();
  signal.addEventListener('abort', () => observer.disconnect());
  const options = { passive: true, signal };
  for (const type of scrollEvents) {
    window.addEventListener(type, beginScrolling, options);
  }
  // Where scrolling stops between two thresholds.
  window.addEventListener('scrollend', followScrolling, options);
  window.addEventListener('hashchange', followAddress, options);
  // A click on the link of the present address only scrolls there again.
  nav.addEventListener('click', () => setTimeout(followAddress), options);
  followAddress();
}

/**
 * Whether a section begins above the reading line, which moves from the top of the window to its
 * bottom as the page is scrolled, so that the last sections become current too.
 */
function isReached(section: Element): boolean {
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
  const progress = scrollTop / Math.max(1, scrollHeight - clientHeight);
  return section.getBoundingClientRect().top <= progress * clientHeight;
}
