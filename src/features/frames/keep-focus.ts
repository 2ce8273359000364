/**
 * Where the keyboard continues when a button is removed with its row, or because it can do nothing
 * more: at the list that it was in, or at the title of the page.
 *
 * @returns a function that stops it
 */
export function keepFocus(): () => void {
  let used: Element | null = null;
  let list: HTMLElement | null = null;
  let address = '';
  function remember(): void {
    used = document.activeElement;
    // Known before: what is removed has no parents.
    list = used?.closest<HTMLElement>('main [tabindex="-1"]') ?? null;
    address = window.location.href;
  }
  const watcher = new MutationObserver(() => {
    // A page that is new chooses for itself.
    if (used === null || used.isConnected || address !== window.location.href) {
      return;
    }
    used = null;
    // Before the next picture, so that what has come in its place can take the focus first.
    requestAnimationFrame(() => {
      const place = list?.isConnected ? list : document.querySelector('h1');
      if (document.activeElement === document.body) {
        place?.setAttribute('tabindex', '-1');
        place?.focus({ preventScroll: true });
      }
    });
  });
  remember();
  watcher.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', remember);
  return () => {
    watcher.disconnect();
    document.removeEventListener('focusin', remember);
  };
}
