/** The dialog that asks before changes are lost; its answer `leave` loses them. */
export const leaveDialogId = 'leave';

/** What the changes of a form belong to: those of a course are lost when another one is chosen. */
export type ChangeOwner = 'account' | 'course' | 'cohort' | 'person';

/** Marks a form, by an element in it, while it differs from what is stored. */
export function markChanges(element: HTMLElement | null, owner: ChangeOwner | null): void {
  if (owner === null) {
    element?.removeAttribute('data-changes');
  } else {
    element?.setAttribute('data-changes', owner);
    // Only now, because a listener may keep the page out of the browser's back/forward cache.
    window.addEventListener('beforeunload', stayWithChanges);
  }
}

/** Has the browser ask about what the router cannot: reloads, and all links before it is there. */
function stayWithChanges(event: BeforeUnloadEvent): void {
  if (hasChanges()) {
    event.preventDefault();
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

/** Asks the user before changes are lost; without any, resolves to true immediately. */
export async function mayLoseChanges(owner: ChangeOwner | null = null): Promise<boolean> {
  const dialog = document.getElementById(leaveDialogId);
  if (!hasChanges(owner) || !(dialog instanceof HTMLDialogElement)) {
    return true;
  }
  dialog.returnValue = '';
  if (dialog.open) {
    // Back was pressed while the dialog was open: the earlier question is answered with no.
    dialog.dispatchEvent(new Event('close'));
  } else {
    dialog.showModal();
  }
  await new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
  if (dialog.returnValue !== 'leave') {
    // Shows where the changes are.
    document.querySelector<HTMLElement>('[data-changes] button')?.focus();
    return false;
  }
  giveUpChanges(owner);
  return true;
}

function changed(owner: ChangeOwner | null): HTMLElement[] {
  const selector = owner === null ? '[data-changes]' : `[data-changes="${owner}"]`;
  return [...document.querySelectorAll<HTMLElement>(selector)];
}
