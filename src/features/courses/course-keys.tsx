'use client';

import { type ReactNode, useSyncExternalStore } from 'react';
import { openCourseMenu } from './open-course-menu.ts';

/** The keys that open the course selector, as this keyboard has them: a hint, drawn by CSS. */
export function CourseKeys({ keys }: { keys: string }) {
  const isApple = useSyncExternalStore(neverChanges, hasAppleKeys, () => false);
  return <span className="keys" data-keys={isApple ? '⌘K' : keys} aria-hidden="true" />;
}

type SwitchCourseItemProps = { keys: string; children: ReactNode };

/** A menu item that opens the course selector and says its keys. */
export function SwitchCourseItem({ keys, children }: SwitchCourseItemProps) {
  return (
    <button type="button" className="menu-item noscript:hidden" onClick={openCourseMenu}>
      {children}
      <CourseKeys keys={keys} />
    </button>
  );
}

function neverChanges(): () => void {
  return () => {};
}

function hasAppleKeys(): boolean {
  return /^(Mac|iP)/.test(navigator.platform);
}
