import { type ChangeOwner, followsLinks, giveUpChanges, hasChanges } from './unsaved.ts';

/** The dialog that asks. In it, a link and a button with `data-leave` lose the changes. */
export const leaveDialogId = 'leave';

/** Asks the user before changes are lost. Returns whether they may be. */
type AskToLeave = (owner: ChangeOwner | null) => Promise<boolean>;

/** A way to lose changes: a link, or anything else, which gets the user's answer. */
type Way = {
  owner: ChangeOwner | null;
  href?: string;
  answer?: (mayLose: boolean) => void;
};

/** Made once per document. */
const guard: { ask?: AskToLeave } = {};

/** From the first call on, asks before changes are lost by links and history. */
export function guardChanges(): AskToLeave {
  guard.ask ??= guardPage();
  return guard.ask;
}

/**
 * Has the browser ask about what the guard cannot: reloads, other documents, and all links of
 * browsers without the Navigation API. To be called only with changes, because a listener may keep
 * the page out of the browser's back/forward cache.
 */
export function guardUnload(): void {
  window.addEventListener('beforeunload', stayWithChanges);
}

function stayWithChanges(event: BeforeUnloadEvent): void {
  if (hasChanges()) {
    event.preventDefault();
  }
}

/** Asks the user before changes are lost; without any, resolves to true immediately. */
export async function mayLoseChanges(owner: ChangeOwner | null = null): Promise<boolean> {
  return !hasChanges(owner) || guardChanges()(owner);
}

function guardPage(): AskToLeave {
  let asked: Way | null = null;

  function ask(way: Way): void {
    asked?.answer?.(false);
    asked = null;
    const dialog = document.getElementById(leaveDialogId);
    if (dialog instanceof HTMLDialogElement) {
      asked = way;
      for (const control of dialog.querySelectorAll<HTMLElement>('[data-leave]')) {
        const isLink = control instanceof HTMLAnchorElement;
        // A link, where there is one, because the router follows what its user has clicked.
        control.hidden = isLink !== (way.href !== undefined);
        if (isLink && way.href !== undefined) {
          control.href = way.href;
        }
      }
      if (!dialog.open) {
        dialog.showModal();
      }
    } else {
      way.answer?.(true);
    }
  }

  /** Answers once, however the dialog closes. */
  function settle(mayLose: boolean): void {
    const way = asked;
    asked = null;
    if (way !== null) {
      if (mayLose) {
        giveUpChanges(way.owner);
      }
      (document.getElementById(leaveDialogId) as HTMLDialogElement | null)?.close();
      way.answer?.(mayLose);
    }
  }

  // What the router does not follow itself: it asks before each link and step of history.
  function onNavigate(event: NavigateEvent): void {
    if (!event.defaultPrevented && leavesPage(event) && hasChanges()) {
      event.preventDefault();
      ask(wayOf(event));
    }
  }

  /** Last of all, also if the router begins to listen later. */
  function listen(): void {
    window.navigation?.removeEventListener('navigate', onNavigate);
    window.navigation?.addEventListener('navigate', onNavigate);
  }

  listen();
  document.addEventListener(followsLinks, listen);
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-leave]') !== null) {
      settle(true);
    }
  });
  document.addEventListener(
    'close',
    ({ target }) => {
      if (target instanceof Element && target.id === leaveDialogId && asked !== null) {
        settle(false);
        // Shows where the changes are.
        document.querySelector<HTMLElement>('[data-changes] button')?.focus();
      }
    },
    { capture: true },
  );
  return (owner) => new Promise((answer) => ask({ owner, answer }));
}

/** Whether the user leaves the page by it. The browser itself asks about reloads. */
function leavesPage(event: NavigateEvent): boolean {
  return (
    event.userInitiated &&
    event.cancelable &&
    event.navigationType !== 'reload' &&
    !event.hashChange &&
    event.downloadRequest === null &&
    event.formData === null
  );
}

function wayOf({ navigationType, destination }: NavigateEvent): Way {
  if (navigationType !== 'traverse') {
    return { owner: null, href: destination.url };
  }
  return {
    owner: null,
    answer: (mayLose) => {
      if (mayLose) {
        window.navigation?.traverseTo(destination.key);
      }
    },
  };
}
