'use client';

import { useEffect, useRef } from 'react';
import { listenForMenuKeys } from './menu-keys.ts';
import { tidyOverlays } from './overlays.ts';
import { showTooltipsIn } from './tooltips.ts';

/** Keyboard, focus and tooltips for whatever on the page says by its attributes that it wants them. One for each page. */
export function Behaviour() {
  const tipRef = useRef<HTMLDivElement>(null);
  useEffect(tidyOverlays, []);
  useEffect(listenForMenuKeys, []);
  useEffect(() => (tipRef.current ? showTooltipsIn(tipRef.current) : undefined), []);
  return <div ref={tipRef} popover="manual" role="tooltip" className="tip" />;
}
