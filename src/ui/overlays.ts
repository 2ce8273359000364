/** Part of an event that the types do not have yet. */
type Command = { command: string; source: Element | null };

/** What has opened a dialog, or a popover that several buttons open. */
type Openers = WeakMap<EventTarget, Element>;

/** Where the focus of a dialog starts: in Chrome, without `autofocus`, at a part that scrolls. */
const controls = ':is(button, input, select, textarea):enabled, a[href]';

const openMenus = '[popover="auto"]:popover-open';

/**
 * What the browser does not do when dialogs and popovers close: the focus returns to what opened
 * them or, if that is hidden, to the button of the menu or sheet around it. Following a link closes
 * all, before the next page is there.
 *
 * @returns a function that removes the listeners
 */
export function tidyOverlays(): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const options = { capture: true, signal };
  const openers: Openers = new WeakMap();
  const on = <Type extends keyof DocumentEventMap>(
    type: Type,
    hear: (event: DocumentEventMap[Type]) => void,
  ) => document.addEventListener(type, hear, options);
  on('command', (event) => {
    const { command, source, target } = event as Event & Command;
    if (command === 'show-modal' && source !== null && target !== null) {
      openers.set(target, source);
    }
  });
  on('close', ({ target }) => {
    if (target instanceof HTMLDialogElement) {
      giveFocusBack(target, inSight(openers.get(target) ?? null, openers));
    }
  });
  on('beforetoggle', ({ target, newState }) => {
    const control =
      target instanceof HTMLDialogElement && newState === 'open'
        ? target.querySelector<HTMLElement>(controls)
        : null;
    if (control !== null) {
      control.autofocus = true;
    }
    const button = document.activeElement;
    if (newState === 'open' && target !== null && opens(button, target)) {
      openers.set(target, button);
    }
  });
  on('toggle', ({ target, newState }) => {
    if (target instanceof HTMLElement && target.popover === 'auto' && newState === 'closed') {
      giveFocusBack(target, inSight(openers.get(target) ?? buttonOf(target), openers));
    }
  });
  window.navigation?.addEventListener(
    'navigate',
    ({ userInitiated, navigationType, hashChange, downloadRequest, info }) => {
      // Links and history. Scripts that navigate give a reason in `info`.
      const isVisit = userInitiated || (navigationType === 'traverse' && info === undefined);
      if (isVisit && !hashChange && downloadRequest === null) {
        closeOverlays();
      }
    },
    { signal },
  );
  return () => controller.abort();
}

function closeOverlays(): void {
  for (const menu of document.querySelectorAll<HTMLElement>(openMenus)) {
    menu.hidePopover();
  }
  for (const dialog of document.querySelectorAll('dialog')) {
    dialog.close();
  }
}

/** Whether nothing else has the focus: it is nowhere, or still in what has closed. */
function giveFocusBack(closed: HTMLElement, opener: Element | null): void {
  const { activeElement } = document;
  if (activeElement === document.body || closed.contains(activeElement)) {
    (opener as HTMLElement | null)?.focus();
  }
}

/** The element itself, or the button of the popover that hides it. */
function inSight(element: Element | null, openers: Openers): HTMLElement | null {
  const popover = element?.parentElement?.closest<HTMLElement>('[popover]') ?? null;
  // On desktop, the sidebar is a popover that is part of the page.
  const isHidden =
    popover !== null &&
    !popover.matches(':popover-open') &&
    getComputedStyle(popover).position === 'fixed';
  if (isHidden) {
    return inSight(openers.get(popover) ?? buttonOf(popover), openers);
  }
  return element instanceof HTMLElement ? element : null;
}

function opens(button: Element | null, popover: EventTarget): button is HTMLButtonElement {
  return button instanceof HTMLButtonElement && button.popoverTargetElement === popover;
}

function buttonOf(popover: HTMLElement): Element | null {
  return document.querySelector(`[popovertarget="${popover.id}"]`);
}
