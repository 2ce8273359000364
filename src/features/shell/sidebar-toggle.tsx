'use client';

import { useEffect, useRef, useState } from 'react';
import {
  isDesk,
  sidebar,
  sidebarCookie,
  sidebarCookieMaxAgeSeconds,
  sidebarId,
} from '#features/frames/sidebar-ids.ts';
import { writeCookie } from '#lib/browser-storage.ts';
import { onShortcut } from '#ui/shortcut.ts';

type SidebarToggleProps = { isOpen: boolean; label: string; tip: string };

/**
 * The sidebar's button and keyboard shortcut. On desktop it collapses the sidebar to icons and
 * back; on a phone the sidebar is a popover, which the browser opens and closes.
 */
export function SidebarToggle({ isOpen: isOpenAtFirst, label, tip }: SidebarToggleProps) {
  const buttonRef = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);

  // As the server knows it: another tab may have changed it.
  useEffect(() => setIsOpen(isOpenAtFirst), [isOpenAtFirst]);

  function toggle(): void {
    setIsOpen(!isOpen);
    buttonRef.current?.closest('.shell')?.setAttribute('data-sidebar', isOpen ? 'icons' : 'open');
    writeCookie(sidebarCookie, String(!isOpen), sidebarCookieMaxAgeSeconds);
  }

  useEffect(
    () =>
      onShortcut('b', () =>
        isDesk().matches ? buttonRef.current?.click() : sidebar()?.togglePopover(),
      ),
    [],
  );

  return (
    <button
      ref={buttonRef}
      type="button"
      // Hides controls that need scripts.
      className="icon-button noscript:hidden max-md:hidden"
      aria-label={label}
      data-tip={tip}
      aria-keyshortcuts="Control+B Meta+B"
      aria-expanded={isOpen}
      aria-controls={sidebarId}
      onClick={toggle}
    >
      <span className="icon icon-sidebar" />
    </button>
  );
}
