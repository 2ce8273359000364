'use client';

import { useEffect, useRef, useState } from 'react';
import { writeCookie } from '#lib/write-cookie.ts';
import { onShortcut } from '#ui/shortcut.ts';
import {
  mobileBreakpoint,
  sidebarCookie,
  sidebarCookieMaxAgeSeconds,
  sidebarId,
} from './sidebar-state.ts';

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
  useEffect(holdFocusInSheet, []);

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

function sidebar(): HTMLElement | null {
  return document.getElementById(sidebarId);
}

function isDesk(): MediaQueryList {
  return window.matchMedia(`(min-width: ${mobileBreakpoint}px)`);
}

/** While the sheet is open, the page behind it is inert. Widening the window closes it. */
function holdFocusInSheet(): () => void {
  const sheet = sidebar();
  // The skip link and the page.
  const behind = [sheet?.previousElementSibling, sheet?.nextElementSibling];
  const controller = new AbortController();
  const { signal } = controller;
  sheet?.addEventListener(
    'beforetoggle',
    (event) => {
      // Before it closes, because the focus then returns to its button on the page.
      if (event.target === sheet) {
        for (const element of behind) {
          element?.toggleAttribute('inert', event.newState === 'open');
        }
      }
    },
    { signal },
  );
  sheet?.addEventListener(
    'toggle',
    (event) => {
      if (event.target === sheet && event.newState === 'open') {
        sheet.querySelector<HTMLElement>('a, button')?.focus();
      }
    },
    { signal },
  );
  sheet?.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Tab' && sheet.matches(':popover-open')) {
        const stops = [...sheet.querySelectorAll<HTMLElement>('a, button, input')].filter((stop) =>
          stop.checkVisibility(),
        );
        const [edge, other] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
        if (document.activeElement === edge) {
          event.preventDefault();
          other?.focus();
        }
      }
    },
    { signal },
  );
  isDesk().addEventListener('change', () => sheet?.hidePopover(), { signal });
  return () => controller.abort();
}
