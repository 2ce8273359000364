/** How long the pointer or the focus rests on something before its tip is shown. */
const delayMs = 700;
/** So soon after one tip the next is shown at once. */
const skipDelayMs = 300;

/**
 * Shows the `data-tip` of what the pointer or the keyboard's focus rests on. Where the element stands in `data-tips-at-once`, without
 * delay. Escape takes a tip away, and the pointer may rest on the tip itself. To screen readers an element with a tip says the same by
 * its own name.
 *
 * @param tip the one popover in which all tips appear
 * @returns how to stop
 */
export function showTooltipsIn(tip: HTMLElement): () => void {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hiddenAt = -skipDelayMs;
  let owner: HTMLElement | null = null;

  function show(): void {
    const text = owner?.dataset['tip'];
    // A tip that says what stands there in full would only be in the way.
    if (
      !owner?.isConnected ||
      !text ||
      getComputedStyle(owner).getPropertyValue('--tip') === 'off'
    ) {
      return;
    }
    tip.textContent = text;
    owner.style.setProperty('anchor-name', '--tip-owner');
    tip.showPopover();
  }

  function hide(): void {
    clearTimeout(timer);
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
