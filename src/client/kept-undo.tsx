'use client';

import { KeptToast } from '#ui/toast.tsx';
import { type Undo, useToast } from './use-finish.ts';

/** Shows the toast that the previous page kept, which can take back what it says. */
export function KeptUndo() {
  const say = useToast();
  // From `leaveFor`.
  return <KeptToast show={(text, undo) => say(text, undo as Undo | undefined)} />;
}
