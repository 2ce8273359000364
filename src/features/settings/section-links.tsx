'use client';

import { type ReactNode, useEffect, useRef } from 'react';

/** How much of a section comes into view between two looks at where one is. */
const thresholds = [0, 0.25, 0.5, 0.75, 1];

/** Events of people who scroll. */
const ofScrolling = ['wheel', 'touchmove', 'keydown', 'pointerdown'];

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
    <nav ref={ref} aria-label={label} className="section-links">
      {children}
    </nav>
  );
}

/**
 * Marks the link of the section that one is in.
 *
 * @param nav the links to the sections
 * @param signal ends it
 */
function followSections(nav: HTMLElement, signal: AbortSignal): void {
  const links = [...nav.querySelectorAll('a')];
  const sections = links.flatMap(({ hash }) => document.getElementById(hash.slice(1)) ?? []);
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

  function followScrolling(): void {
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
  for (const section of sections) {
    observer.observe(section);
  }
  signal.addEventListener('abort', () => observer.disconnect());
  const options = { passive: true, signal };
  for (const type of ofScrolling) {
    window.addEventListener(
      type,
      () => {
        isChosen = false;
      },
      options,
    );
  }
  // Where scrolling stops between two thresholds.
  window.addEventListener('scrollend', followScrolling, options);
  window.addEventListener('hashchange', followAddress, options);
  // A click on the link of the present address only scrolls there again.
  nav.addEventListener('click', () => setTimeout(followAddress), options);
  followAddress();
}

/**
 * Whether a section begins above the line where one reads: at the top of the window where the page
 * begins, and at the bottom where it ends, so that each section has its turn.
 */
function isReached(section: Element): boolean {
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
  const progress = scrollTop / Math.max(1, scrollHeight - clientHeight);
  return section.getBoundingClientRect().top <= progress * clientHeight;
}
