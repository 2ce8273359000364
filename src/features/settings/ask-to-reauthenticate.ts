import type { ApiFailure } from '#client/call-api.ts';

/** The id of the dialog that emails a new login link. */
export const proofDialogId = 'proof';

/** Opens the dialog if the sign-in was too old for a request. Returns whether it was. */
export function askToReauthenticate({ body }: ApiFailure): boolean {
  if (body?.code !== 'proof_required') {
    return false;
  }
  (document.getElementById(proofDialogId) as HTMLDialogElement | null)?.showModal();
  return true;
}
