'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type ChangeOwner, giveUpChanges, hasChanges, onLossQuestion } from '#client/unsaved.ts';

/** A way to lose changes: a link, or anything else, which gets the user's answer. */
type Way = {
  owner: ChangeOwner | null;
  href?: string;
  answer?: (mayLose: boolean) => void;
};

/** Opens the dialog around it before changes are lost, and takes the way that it asks about. */
export function LeaveButton({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLSpanElement>(null);
  const openRef = useRef<Way>(null);
  const [href, setHref] = useState<string>();

  /** Answers once, however the dialog closes. */
  function settle(mayLose: boolean): void {
    const way = openRef.current;
    openRef.current = null;
    if (mayLose) {
      giveUpChanges(way?.owner);
    }
    ref.current?.closest('dialog')?.close();
    way?.answer?.(mayLose);
  }

  useEffect(() => {
    const dialog = ref.current?.closest('dialog') ?? null;
    const controller = new AbortController();
    const { signal } = controller;

    function ask(way: Way): void {
      openRef.current?.answer?.(false);
      openRef.current = way;
      setHref(way.href);
      if (!dialog?.open) {
        dialog?.showModal();
      }
    }

    function onNavigate(event: NavigateEvent): void {
      const way = leaves(event) && hasChanges() ? wayOf(event) : null;
      if (way !== null) {
        event.preventDefault();
        event.stopImmediatePropagation();
        ask(way);
      }
    }

    function onClose(): void {
      const way = openRef.current;
      openRef.current = null;
      way?.answer?.(false);
      if (way !== null) {
        // Shows where the changes are.
        document.querySelector<HTMLElement>('[data-changes] button')?.focus();
      }
    }

    dialog?.addEventListener('close', onClose, { signal });
    // Before the router, which listens at the same place.
    window.navigation?.addEventListener('navigate', onNavigate, { capture: true, signal });
    // Reloads, other documents, and all links of browsers without the Navigation API.
    window.addEventListener(
      'beforeunload',
      (event) => {
        if (hasChanges()) {
          event.preventDefault();
        }
      },
      { signal },
    );
    const stopListening = onLossQuestion(ask);
    return () => {
      controller.abort();
      stopListening();
    };
  }, []);

  return (
    <span ref={ref} className="contents">
      {href === undefined ? (
        <button type="button" className="button button-primary" onClick={() => settle(true)}>
          {children}
        </button>
      ) : (
        // A link, because the router follows what its user has clicked.
        <a className="button button-primary" href={href} onClick={() => settle(true)}>
          {children}
        </a>
      )}
    </span>
  );
}

/** Whether the user leaves the page by it. Reloads are asked about by the browser. */
function leaves(event: NavigateEvent): boolean {
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
