/** The event of the document by which a change says that pages fetched before it are outdated. */
export const outdatesPages = 'outdates-pages';

/** Says that nothing may be shown that was fetched before now. */
export function outdatePages(): void {
  document.dispatchEvent(new Event(outdatesPages));
}
