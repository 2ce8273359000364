/** How long the pointer or the focus rests on an element before its tooltip is shown. */
const delayMs = 700;
/** Within this time of one tooltip, the next is shown immediately. */
const skipDelayMs = 300;

/**
 * Shows the `data-tip` of the element under the pointer or with the keyboard's focus; without delay
 * inside `data-tips-at-once`. Escape hides it, and the pointer may move onto it. Screen readers do
 * not need it: the element's own accessible name says the same.
 *
 * @param tip the one popover that all tooltips appear in
 * @returns a function that removes the listeners
 */
export function showTooltipsIn(tip: HTMLElement): () => void {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hiddenAt = -skipDelayMs;
  let owner: HTMLElement | null = null;
  // Without its owner a tooltip has no place: it would lie over what is at the top of the window.
  const watcher = new IntersectionObserver((entries) => {
    if (!entries.at(-1)?.isIntersecting) {
      hide();
    }
  });

  function show(): void {
    const text = owner?.dataset['tip'];
    // A tooltip that repeats fully visible text would only be in the way.
    if (!owner?.isConnected || !text || isShownIn(owner, text)) {
      return;
    }
    tip.textContent = text;
    owner.style.setProperty('anchor-name', '--tip-owner');
    tip.showPopover();
    watcher.observe(owner);
  }

  function hide(): void {
    clearTimeout(timer);
    watcher.disconnect();
    owner?.style.removeProperty('anchor-name');
    owner = null;
    if (tip.matches(':popover-open')) {
      tip.hidePopover();
      hiddenAt = performance.now();
    }
  }

  function enter(event: Event): void {
    const { target } = event;
    const isTouch = event instanceof PointerEvent && event.pointerType === 'touch';
    if (!(target instanceof Element) || tip.contains(target) || isTouch) {
      return;
    }
    const entered = target.closest<HTMLElement>('[data-tip]');
    if (entered === owner) {
      return;
    }
    hide();
    const isByMouse = event.type === 'focusin' && !target.matches(':focus-visible');
    if (entered !== null && !isByMouse) {
      owner = entered;
      const isSoon = performance.now() - hiddenAt < skipDelayMs;
      const isAtOnce = entered.closest('[data-tips-at-once]') !== null;
      timer = setTimeout(show, isSoon || isAtOnce ? 0 : delayMs);
    }
  }

  const { signal } = controller;
  document.addEventListener('pointerover', enter, { signal });
  document.addEventListener('focusin', enter, { signal });
  document.addEventListener('pointerdown', hide, { signal });
  document.addEventListener('focusout', hide, { signal });
  document.addEventListener(
    'keydown',
    ({ key }) => {
      if (key === 'Escape') {
        hide();
      }
    },
    { signal },
  );
  return () => {
    hide();
    controller.abort();
  };
}

/** Letters may reach this far out of a line, in px, without being cut off. */
const overhang = 8;

/** Whether the element itself shows this text, and nothing of it is cut off. */
function isShownIn(owner: HTMLElement, text: string): boolean {
  const parts = [owner, ...owner.querySelectorAll('*')].filter(
    ({ textContent }) => textContent === text,
  );
  return (
    parts.length > 0 &&
    parts.every(
      ({ clientWidth, scrollWidth, clientHeight, scrollHeight }) =>
        scrollWidth <= clientWidth && scrollHeight <= clientHeight + overhang,
    )
  );
}
