/** The dialog that marks people as paid. Once per page. */
export const payDialogId = 'mark-as-paid';

/** The dialog of an entry of a kind, on the page of someone's account. */
export function entryDialogId(kind: string): string {
  return `new-${kind}`;
}

/** The dialog that asks before an entry is reversed. */
export function reverseDialogId(entryId: string): string {
  return `reverse-${entryId}`;
}
