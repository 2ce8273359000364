import { isDesk, sidebar } from './sidebar-ids.ts';

/**
 * While the sheet is open, the page behind it is inert. Widening the window closes it.
 *
 * @returns a function that removes the listeners
 */
export function holdFocusInSheet(): () => void {
  const sheet = sidebar();
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
  sheet?.addEventListener(
    'beforetoggle',
    (event) => {
      // Before it closes, because the focus then returns to its button on the page.
      if (event.target === sheet) {
        holdBehind(event.newState === 'open');
      }
    },
    { signal },
  );
  sheet?.addEventListener(
    'toggle',
    (event) => {
      if (event.target === sheet && event.newState === 'open') {
        sheet.querySelector<HTMLElement>('a, button')?.focus();
      }
    },
    { signal },
  );
  sheet?.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Tab' && sheet.matches(':popover-open')) {
        const stops = [...sheet.querySelectorAll<HTMLElement>('a, button, input')].filter((stop) =>
          stop.checkVisibility(),
        );
        const [edge, other] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
        if (document.activeElement === edge) {
          event.preventDefault();
          other?.focus();
        }
      }
    },
    { signal },
  );
  isDesk().addEventListener('change', () => sheet?.hidePopover(), { signal });
  return () => controller.abort();
}
