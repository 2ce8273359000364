import { writeCookie } from '#lib/browser-storage.ts';
import { returnCookie } from '#lib/return-path.ts';
import { paths } from '#paths.ts';
import { keepToast } from '#ui/toast.tsx';
import { forgetDraft } from './drafts.ts';
import { tellTabs } from './tabs.ts';
import type { Undo } from './use-finish.ts';

/**
 * Goes to another page after a change, as a new document, which then says what was done, and can take
 * it back.
 */
export function leaveFor(page: string, done: string, undo?: Undo): 'leaving' {
  tellTabs({ kind: 'changed' });
  keepToast(done, undo);
  window.location.assign(page);
  return 'leaving';
}

/** Goes to /login after a session has ended by choice: nothing of it is kept in this tab. */
export function leaveSession(): 'leaving' {
  forgetDraft();
  writeCookie(returnCookie, '', 0);
  // A new document, so that nothing of the session stays in memory.
  window.location.assign(paths.login);
  return 'leaving';
}
