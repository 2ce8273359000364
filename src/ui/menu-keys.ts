const itemSelector = '.menu-item';
const openMenu = '[data-menu]:popover-open';
/** Letters typed within this time of each other are one search. */
const wordMs = 700;

/**
 * Keyboard for popovers with `data-menu`, after the ARIA practices: arrows, Home and End move
 * through the items, letters jump to the item that begins with them, and the focus starts at the
 * current item or, with a keyboard, in the filter field. The browser handles Escape; overlays.ts
 * returns the focus.
 *
 * @returns a function that removes the listeners
 */
export function listenForMenuKeys(): () => void {
  const controller = new AbortController();
  let word = '';
  let typedAt = 0;

  function onKeyDown(event: KeyboardEvent): void {
    const menu = menuOf(event.target);
    if (menu === null || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const items = itemsOf(menu);
    const at = items.indexOf(document.activeElement as HTMLElement);
    const isTyping = event.target instanceof HTMLInputElement;
    const next = {
      ArrowDown: items[(at + 1) % items.length],
      ArrowUp: items[(at <= 0 ? items.length : at) - 1],
      // In a text field these move the caret.
      Home: isTyping ? undefined : items[0],
      End: isTyping ? undefined : items.at(-1),
    }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      next.focus();
    } else if (!isTyping && event.key.length === 1 && (event.key !== ' ' || word !== '')) {
      jumpTo(items, at, event);
    }
  }

  function jumpTo(items: HTMLElement[], at: number, event: KeyboardEvent): void {
    word = event.timeStamp - typedAt < wordMs ? word + event.key : event.key.trim();
    typedAt = event.timeStamp;
    // One letter, repeated, moves to the next item that begins with it; a longer search may stay.
    const letters = [...word.toLocaleLowerCase()];
    const isOneLetter = letters.every((letter) => letter === letters[0]);
    const start = isOneLetter ? (letters[0] ?? '') : letters.join('');
    const from = isOneLetter ? at + 1 : Math.max(at, 0);
    const inOrder = [...items.slice(from), ...items.slice(0, from)];
    const item = inOrder.find(({ textContent }) =>
      textContent.trim().toLocaleLowerCase().startsWith(start),
    );
    if (start !== '' && item !== undefined) {
      event.preventDefault();
      item.focus();
    }
  }

  function startIn(menu: EventTarget | null): void {
    if (!(menu instanceof HTMLElement && menu.matches(openMenu))) {
      return;
    }
    const current = menu.querySelector<HTMLElement>('[aria-selected="true"]');
    current?.scrollIntoView({ block: 'nearest' });
    // A key that came before this event has moved it already.
    if (menu.contains(document.activeElement)) {
      return;
    }
    // On a touch screen, a focused field would open the keyboard over the menu.
    const field = window.matchMedia('(pointer: coarse)').matches
      ? null
      : menu.querySelector('input');
    (field ?? current ?? itemsOf(menu)[0])?.focus();
  }

  document.addEventListener('keydown', onKeyDown, { signal: controller.signal });
  // `toggle` does not bubble.
  document.addEventListener('toggle', ({ target }) => startIn(target), {
    capture: true,
    signal: controller.signal,
  });
  // It may have been opened before this script was there.
  startIn(document.querySelector(openMenu));
  return () => controller.abort();
}

/** The menu around an element or, while the focus is still on the button of one, that menu. */
function menuOf(target: EventTarget | null): HTMLElement | null {
  const around = target instanceof Element ? target.closest<HTMLElement>('[data-menu]') : null;
  const opened = target instanceof HTMLButtonElement ? target.popoverTargetElement : null;
  const isMenu = opened instanceof HTMLElement && opened.matches('[data-menu]:popover-open');
  return around ?? (isMenu ? opened : null);
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>(itemSelector)];
}
