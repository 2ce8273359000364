'use client';

import { useEffect, useRef, useState } from 'react';

const shownMs = 6_000;

const toasts = new EventTarget();

/** Shows a short message at the edge of the window, and announces it to screen readers. */
export function showToast(text: string): void {
  toasts.dispatchEvent(new CustomEvent<string>('toast', { detail: text }));
}

/** Where toasts appear; once per page. They stay while the pointer or the focus is on them. */
export function Toasts({ close }: { close: string }) {
  const ref = useRef<HTMLDivElement>(null);
  const [toast, setToast] = useState<{ text: string } | null>(null);

  useEffect(() => {
    const show = (event: Event) => {
      setToast({ text: (event as CustomEvent<string>).detail });
      // Shown again, to be above dialogs that were opened in the meantime.
      ref.current?.hidePopover();
      ref.current?.showPopover();
    };
    toasts.addEventListener('toast', show);
    return () => toasts.removeEventListener('toast', show);
  }, []);

  useEffect(() => {
    if (toast === null) {
      return undefined;
    }
    const timer = setInterval(() => {
      if (ref.current?.matches(':not(:hover):not(:focus-within)')) {
        ref.current.hidePopover();
        setToast(null);
      }
    }, shownMs);
    return () => clearInterval(timer);
  }, [toast]);

  return (
    <div role="status">
      <div ref={ref} popover="manual" className="toast">
        <p>{toast?.text}</p>
        <button
          type="button"
          className="icon-button"
          aria-label={close}
          onClick={() => {
            ref.current?.hidePopover();
            setToast(null);
          }}
        >
          <span className="icon icon-close" />
        </button>
      </div>
    </div>
  );
}
