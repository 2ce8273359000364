import { returnCookie } from '#lib/return-path.ts';
import { writeCookie } from '#lib/write-cookie.ts';
import { paths } from '#paths.ts';
import { forgetDraft } from './draft-storage.ts';

/** Goes to /login after a session has ended by choice: nothing of it is kept in this tab. */
export function leaveSession(): void {
  forgetDraft();
  writeCookie(returnCookie, '', 0);
  // A new document, so that nothing of the session stays in memory.
  window.location.assign(paths.login);
}
