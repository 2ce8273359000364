import { writeCookie } from '#lib/browser-storage.ts';
import { returnCookie } from '#lib/return-path.ts';
import { paths } from '#paths.ts';
import { keepToast } from '#ui/toast.tsx';
import { forgetDraft } from './drafts.ts';
import { tellTabs } from './tabs.ts';

/** Goes to another page after a change, as a new document, which then says what was done. */
export function leaveFor(page: string, done: string): 'leaving' {
  tellTabs({ kind: 'changed' });
  keepToast(done);
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
