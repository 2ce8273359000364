/** What the imports of lost scripts failed with. */
const losses = new WeakSet<Error>();

/**
 * Keeps the page when a script cannot be loaded, such as offline or after a deploy: Waku would
 * reload it, and what was typed would be lost. The import fails, and its caller says so.
 *
 * @returns a function that removes the listener
 */
export function stayWithoutScripts(): () => void {
  function stay(event: VitePreloadErrorEvent): void {
    losses.add(event.payload);
    event.stopImmediatePropagation();
  }

  // Capturing listeners come first.
  window.addEventListener('vite:preloadError', stay, { capture: true });
  return () => window.removeEventListener('vite:preloadError', stay, { capture: true });
}

/** Whether a page cannot be shown because one of its scripts is lost. */
export function isLostScript(error: unknown): boolean {
  return error instanceof Error && losses.has(error);
}
