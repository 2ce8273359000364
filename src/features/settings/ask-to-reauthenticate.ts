import type { ApiFailure } from '#client/call-api.ts';

/** The dialog that mails a fresh login link. */
export const proofDialogId = 'proof';

/** Where a request was refused because the sign-in is too long ago, offers a fresh one. True when it was. */
export function askToReauthenticate({ body }: ApiFailure): boolean {
  if (body?.code !== 'proof_required') {
    return false;
  }
  (document.getElementById(proofDialogId) as HTMLDialogElement | null)?.showModal();
  return true;
}
