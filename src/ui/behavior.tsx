'use client';

import { useEffect } from 'react';
import { tidyOverlays } from './overlays.ts';

/** What dialogs and popovers need for their focus and their buttons. Once per page. */
export function Behavior() {
  useEffect(tidyOverlays, []);
  useEffect(supportCommands, []);
  return null;
}

/** For browsers that do not know `command` yet. */
function supportCommands(): void {
  if (!('command' in HTMLButtonElement.prototype)) {
    void import('./commands.ts').then(({ runCommands }) => runCommands());
  }
}
