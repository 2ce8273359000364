/** The way that lets someone in although all places are taken. */
export const overCapacity = 'over';

/** The dialog that asks before someone is removed. */
export const removeDialogId = 'remove-person';

/** The dialog that asks before an offer is taken back. */
export function withdrawDialogId(enrollmentId: string): string {
  return `withdraw-${enrollmentId}`;
}

/** The dialogs that ask before all who ask for a place are let in, or turned down. */
export const approveAllDialogId = 'approve-all';
export const refuseAllDialogId = 'refuse-all';

/** A text about someone, whose name is known where it is shown. */
export function withName(text: string, name: string): string {
  return text.replace('{name}', () => name);
}
