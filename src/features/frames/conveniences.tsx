'use client';

import { useEffect, useRef } from 'react';
import { listenForMenuKeys } from '#ui/menu-keys.ts';
import { showTooltipsIn } from '#ui/tooltips.ts';
import { holdFocusInSheet } from './hold-focus-in-sheet.ts';
import { keepFocus } from './keep-focus.ts';
import { isDesk, sidebar } from './sidebar-ids.ts';

/** What menus, the sheet, controls and links have beyond what browsers give them. Once per page. */
export function Conveniences() {
  const tipRef = useRef<HTMLDivElement>(null);
  useEffect(listenForMenuKeys, []);
  useEffect(() => holdFocusInSheet(sidebar(), isDesk()), []);
  useEffect(keepFocus, []);
  useEffect(() => (tipRef.current ? showTooltipsIn(tipRef.current) : undefined), []);
  return <div ref={tipRef} popover="manual" role="tooltip" className="tip" />;
}
