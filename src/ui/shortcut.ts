/**
 * Calls a function on Ctrl or ⌘ with a letter, unless a dialog is open or an editor has used it.
 *
 * @returns a function that removes the listener
 */
export function onShortcut(letter: string, act: () => void): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const isShortcut = event.key.toLowerCase() === letter && (event.ctrlKey || event.metaKey);
    const isOther = event.altKey || event.shiftKey;
    const isUsed = event.defaultPrevented;
    if (isShortcut && !isOther && !isUsed && document.querySelector('dialog[open]') === null) {
      event.preventDefault();
      act();
    }
  };
  document.addEventListener('keydown', onKeyDown);
  return () => document.removeEventListener('keydown', onKeyDown);
}
