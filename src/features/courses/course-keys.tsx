'use client';

import type { ReactNode } from 'react';
import { courseMenuId, sidebarId } from '#features/frames/sidebar-ids.ts';
import { useInBrowser } from '#ui/use-in-browser.ts';

/** The keys that open the course selector, as this keyboard has them: a hint, drawn by CSS. */
export function CourseKeys({ keys }: { keys: string }) {
  const isApple = useInBrowser(() => /^(Mac|iP)/.test(navigator.platform), false);
  return <span className="keys" data-keys={isApple ? '⌘K' : keys} aria-hidden="true" />;
}

/** A menu item that opens the course selector and says its keys. */
export function SwitchCourseItem({ keys, children }: { keys: string; children: ReactNode }) {
  return (
    <button type="button" className="menu-item noscript:hidden" onClick={openCourseMenu}>
      {children}
      <CourseKeys keys={keys} />
    </button>
  );
}

/** Opens the course selector; on a phone, the sheet around it too. */
export function openCourseMenu(): void {
  const trigger = document.querySelector<HTMLElement>(`[popovertarget="${courseMenuId}"]`);
  if (!trigger?.checkVisibility()) {
    document.getElementById(sidebarId)?.showPopover();
  }
  if (!document.getElementById(courseMenuId)?.matches(':popover-open')) {
    // The menu returns the focus to where it was.
    if (document.activeElement === document.body) {
      trigger?.focus();
    }
    trigger?.click();
  }
}
