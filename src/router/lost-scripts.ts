/** The event of the document about a script that could not be loaded; its detail is Vite's. */
const lostScript = 'lost-script';

/**
 * For the head of each document, where it listens before Waku does. Without a connection, nothing
 * could be loaded again.
 */
export const passOnLostScripts = `addEventListener('vite:preloadError', (event) => {
navigator.onLine || event.stopImmediatePropagation();
document.dispatchEvent(new CustomEvent('${lostScript}', { detail: event }));
});`;

/** What the imports of lost scripts failed with. */
const losses = new WeakSet<Error>();

/**
 * Keeps the page when a script cannot be loaded, such as offline or after a deploy: Waku would
 * reload it, and what was typed would be lost. The import fails, and its caller says so.
 *
 * @returns a function that removes the listener
 */
export function stayWithoutScripts(): () => void {
  function stay(event: Event): void {
    const { detail } = event as CustomEvent<VitePreloadErrorEvent>;
    losses.add(detail.payload);
    detail.stopImmediatePropagation();
  }

  document.addEventListener(lostScript, stay);
  return () => document.removeEventListener(lostScript, stay);
}

/** Whether a page cannot be shown because one of its scripts is lost. */
export function isLostScript(error: unknown): boolean {
  return error instanceof Error && losses.has(error);
}
