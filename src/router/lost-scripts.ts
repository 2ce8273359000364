/** Dispatched on the document if a script could not be loaded; its detail is Vite's own event. */
const lostScriptEvent = 'lost-script';

/**
 * An inline script for the head of each document, where it listens before Waku does. Offline, it
 * stops Vite's event, so that Waku does not reload a page that could not be loaded again.
 */
export const lostScriptListener = `addEventListener('vite:preloadError', (event) => {
navigator.onLine || event.stopImmediatePropagation();
document.dispatchEvent(new CustomEvent('${lostScriptEvent}', { detail: event }));
});`;

/** The errors with which imports of lost scripts failed. */
const lostScriptErrors = new WeakSet<Error>();

/**
 * Keeps the page when a script cannot be loaded, such as offline or after a deploy: Waku would
 * reload it, and what was typed would be lost. The import fails, which its caller handles.
 *
 * @returns a function that removes the listener
 */
export function keepPageWithoutScripts(): () => void {
  function keep(event: Event): void {
    const { detail } = event as CustomEvent<VitePreloadErrorEvent>;
    lostScriptErrors.add(detail.payload);
    detail.stopImmediatePropagation();
  }

  document.addEventListener(lostScriptEvent, keep);
  return () => document.removeEventListener(lostScriptEvent, keep);
}

/** Whether a page cannot be shown because one of its scripts is lost. */
export function isLostScript(error: unknown): boolean {
  return error instanceof Error && lostScriptErrors.has(error);
}

const pauseMs = 2000;

/** Loads a script, and tries again until it is there. */
export async function loadAtLast<Script>(load: () => Promise<Script>): Promise<Script> {
  let loaded = await load().catch(() => null);
  while (loaded === null) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    loaded = await load().catch(() => null);
  }
  return loaded;
}
