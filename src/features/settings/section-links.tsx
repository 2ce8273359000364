'use client';

import { type ReactNode, useEffect, useRef } from 'react';

/** How much of a section comes into view between two looks at where one is. */
const thresholds = [0, 0.25, 0.5, 0.75, 1];

/** Events of people who scroll. */
const ofScrolling = ['wheel', 'touchmove', 'keydown', 'pointerdown'];

/** Links within the page. The current one is the clicked one or, after scrolling, the one in view. */
export function SectionLinks({ label, children }: { label: string; children: ReactNode }) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const links = [...(ref.current?.querySelectorAll('a') ?? [])];
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

    /** A click on the link of the present address changes nothing in it, but scrolls there again. */
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
    const controller = new AbortController();
    const options = { passive: true, signal: controller.signal };
    for (const type of ofScrolling) {
      window.addEventListener(
        type,
        () => {
          isChosen = false;
        },
        options,
      );
    }
    window.addEventListener('hashchange', followAddress, options);
    ref.current?.addEventListener('click', () => setTimeout(followAddress), options);
    followAddress();
    return () => {
      controller.abort();
      observer.disconnect();
    };
  }, []);
  return (
    <nav ref={ref} aria-label={label} className="section-links">
      {children}
    </nav>
  );
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
