'use client';

import { type RefObject, useEffect, useRef, useState } from 'react';
import { withStorage } from '#lib/browser-storage.ts';

const icons = { done: 'icon-check-circle', warned: 'icon-alert', failed: 'icon-cross-circle' };

type Kind = keyof typeof icons;
/** What can be done about a message, such as undoing what it says. */
type ToastAction = { label: string; run: () => void };
type Toast = { id: number; text: string; kind: Kind; action?: ToastAction };

const shownMs = 6_000;
/** Of one about which something can be done. */
const actionMs = 10_000;
/** Older ones make room. */
const maxShown = 3;

const toasts = new EventTarget();

/** Shows a short message in the corner of the window, and announces it to screen readers. */
export function showToast(text: string, kind: Kind = 'done', action?: ToastAction): void {
  toasts.dispatchEvent(new CustomEvent('toast', { detail: { text, kind, action } }));
}

/**
 * Where toasts appear, the newest at the bottom; once per page. They stay while the pointer or the
 * focus is on them.
 */
export function Toasts({ close }: { close: string }) {
  const ref = useRef<HTMLDivElement>(null);
  const [visible, setVisible] = useState<Toast[]>([]);

  useEffect(() => {
    let id = 0;
    const show = (event: Event) => {
      id += 1;
      // From `showToast`.
      const toast = { id, ...(event as CustomEvent<Omit<Toast, 'id'>>).detail };
      setVisible((before) => [...before, toast].slice(-maxShown));
    };
    toasts.addEventListener('toast', show);
    return () => toasts.removeEventListener('toast', show);
  }, []);
  const newestId = visible.at(-1)?.id;
  useEffect(() => {
    // Shown again, to be above dialogs that were opened in the meantime.
    ref.current?.hidePopover();
    if (newestId !== undefined) {
      ref.current?.showPopover();
    }
  }, [newestId]);

  return (
    <div role="status">
      <div ref={ref} popover="manual" className="toasts" data-sentry-mask>
        {visible.map((toast) => (
          <ShownToast
            key={toast.id}
            toast={toast}
            stackRef={ref}
            close={close}
            onEnd={() => setVisible((before) => before.filter(({ id }) => id !== toast.id))}
          />
        ))}
      </div>
    </div>
  );
}

type ShownToastProps = {
  toast: Toast;
  stackRef: RefObject<HTMLDivElement | null>;
  close: string;
  onEnd: () => void;
};

function ShownToast({ toast: { text, kind, action }, stackRef, close, onEnd }: ShownToastProps) {
  const onEndRef = useRef(onEnd);
  const ms = action ? actionMs : shownMs;
  useEffect(() => {
    const timer = setInterval(() => {
      // The others keep their places while one is being read.
      if (stackRef.current?.matches(':not(:hover):not(:focus-within)')) {
        onEndRef.current();
      }
    }, ms);
    return () => clearInterval(timer);
  }, [stackRef, ms]);
  // What follows the first sentence explains it. A failure in one sentence is a long one.
  const [, first, rest] = /^(.+?[.!?])(\s.+)?$/s.exec(text) ?? [];
  const isStrong = rest !== undefined || kind === 'done';
  return (
    <div className="toast" data-kind={kind}>
      <span className={`icon ${icons[kind]}`} />
      <p>
        {isStrong ? <strong>{first ?? text}</strong> : text}
        {rest}
      </p>
      {action && (
        <button
          type="button"
          className="link"
          onClick={() => {
            action.run();
            onEnd();
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className="icon-button" aria-label={close} onClick={onEnd}>
        <span className="icon icon-close" />
      </button>
    </div>
  );
}

const storageKey = 'kept-toast';

/**
 * Keeps a toast for the next page, where the next page is a new document.
 *
 * @param undo JSON for its `show`
 */
export function keepToast(text: string, undo?: unknown): void {
  // Without storage, there is no toast; the next page shows the result too.
  withStorage('sessionStorage', (storage) =>
    storage.setItem(storageKey, JSON.stringify({ text, undo })),
  );
}

type Kept = { text: string; undo?: unknown };
const showText = (text: string) => showToast(text);

/** Shows the toast that the previous page kept. After `Toasts` on a page, which then listens. */
export function KeptToast({
  show = showText,
}: {
  show?: (text: Kept['text'], undo: Kept['undo']) => void;
}) {
  const latest = useRef(show);
  useEffect(() => {
    const kept = withStorage('sessionStorage', (storage) => storage.getItem(storageKey));
    if (kept !== null) {
      withStorage('sessionStorage', (storage) => storage.removeItem(storageKey));
      const { text, undo } = JSON.parse(kept) as Kept;
      latest.current(text, undo);
    }
  }, []);
  return null;
}
