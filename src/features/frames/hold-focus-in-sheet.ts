/**
 * While the sheet is open, the page behind it is inert. Widening the window closes it.
 *
 * @param wide matches where it is part of the page
 * @returns a function that removes the listeners
 */
export function holdFocusInSheet(sheet: HTMLElement | null, wide: MediaQueryList): () => void {
  // The skip link and the page.
  const behind = [sheet?.previousElementSibling, sheet?.nextElementSibling];
  const controller = new AbortController();
  const { signal } = controller;
  const holdBehind = (isOpen: boolean) => {
    for (const element of behind) {
      element?.toggleAttribute('inert', isOpen);
    }
  };
  // It may have been opened before this script was there.
  holdBehind(sheet?.matches(':popover-open') ?? false);
  // Before it closes, because the focus then returns to its button on the page.
  const onBeforeToggle = ({ target, newState }: ToggleEvent) =>
    target === sheet && holdBehind(newState === 'open');
  const onToggle = ({ target, newState }: ToggleEvent) =>
    target === sheet &&
    newState === 'open' &&
    sheet?.querySelector<HTMLElement>('a, button')?.focus();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab' && sheet?.matches(':popover-open')) {
      const stops = [...sheet.querySelectorAll<HTMLElement>('a, button, input')].filter((stop) =>
        stop.checkVisibility(),
      );
      const [edge, other] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
      if (document.activeElement === edge) {
        event.preventDefault();
        other?.focus();
      }
    }
  };
  sheet?.addEventListener('beforetoggle', onBeforeToggle, { signal });
  sheet?.addEventListener('toggle', onToggle, { signal });
  sheet?.addEventListener('keydown', onKeyDown, { signal });
  wide.addEventListener('change', () => sheet?.hidePopover(), { signal });
  return () => controller.abort();
}
