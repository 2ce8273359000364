'use client';

import { useEffect, useRef } from 'react';
import { listenForMenuKeys } from './menu-keys.ts';
import { tidyOverlays } from './overlays.ts';
import { showTooltipsIn } from './tooltips.ts';

/** Keyboard, focus and tooltips for elements that ask for them by attribute. Once per page. */
export function Behavior() {
  const tipRef = useRef<HTMLDivElement>(null);
  useEffect(tidyOverlays, []);
  useEffect(supportCommands, []);
  useEffect(listenForMenuKeys, []);
  useEffect(() => (tipRef.current ? showTooltipsIn(tipRef.current) : undefined), []);
  return <div ref={tipRef} popover="manual" role="tooltip" className="tip" />;
}

/** For browsers that do not know `command` yet. */
function supportCommands(): void {
  if (!('command' in HTMLButtonElement.prototype)) {
    void import('./commands.ts').then(({ runCommands }) => runCommands());
  }
}
