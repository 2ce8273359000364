/** Fired on the document once the router follows links. */
export const followsLinks = 'follows-links';

/** What the changes of a form belong to: those of a course are lost when another one is chosen. */
export type ChangeOwner = 'account' | 'course' | 'cohort' | 'person';

/** Marks a form, by an element in it, while it differs from what is stored. */
export function markChanges(element: HTMLElement | null, owner: ChangeOwner | null): void {
  if (owner === null) {
    element?.removeAttribute('data-changes');
  } else {
    element?.setAttribute('data-changes', owner);
  }
}

/** Whether a form on the page differs from what is stored; with an owner, only one of theirs. */
export function hasChanges(owner: ChangeOwner | null = null): boolean {
  return changed(owner).length > 0;
}

/** Lets changes be lost without another question, unless the user continues to type. */
export function giveUpChanges(owner: ChangeOwner | null = null): void {
  for (const element of changed(owner)) {
    markChanges(element, null);
  }
}

function changed(owner: ChangeOwner | null): HTMLElement[] {
  const selector = owner === null ? '[data-changes]' : `[data-changes="${owner}"]`;
  return [...document.querySelectorAll<HTMLElement>(selector)];
}
