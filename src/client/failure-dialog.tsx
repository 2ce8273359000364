'use client';

import { useEffect, useRef, useState } from 'react';
import type { FailureTexts } from '#i18n/failures.ts';
import { paths } from '#paths.ts';
import { type FailureReport, isApiFailure, kindOf, onFailureReport } from './failures.ts';

/** Shows why a request failed, with the button that helps. Once per page; see `reportFailure`. */
export function FailureDialog({ texts }: { texts: FailureTexts }) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const [report, setReport] = useState<FailureReport | null>(null);
  useEffect(() => onFailureReport(setReport), []);
  useEffect(() => {
    if (report !== null && !dialogRef.current?.open) {
      // Closing a menu returns the focus to its button, where the dialog then restores it.
      document.querySelector<HTMLElement>('[popover="auto"]:popover-open')?.hidePopover();
      dialogRef.current?.showModal();
    }
  }, [report]);

  const failure = report?.failure;
  const kind = kindOf(failure);
  const [title, text, action] = texts.kinds[kind];
  const body = isApiFailure(failure) ? failure.body : null;
  const isSaidByServer = kind === 400 || kind === 403 || kind === 404 || kind === 'other';
  return (
    <dialog ref={dialogRef} className="dialog" aria-labelledby="failure-title">
      <form method="dialog" className="grid gap-4">
        <h2 id="failure-title">
          <span className="icon icon-alert" />
          {title}
        </h2>
        <p>{(kind === 422 && body?.errors?.join(', ')) || text}</p>
        {isSaidByServer && body !== null && <p className="text-muted">{body.message}</p>}
        {body !== null && (
          <p className="text-sm text-muted">
            {texts.requestId} <code>{body.request_id}</code>
          </p>
        )}
        <div className="actions">
          {action && kind === 401 && (
            <a
              className="button button-primary"
              href={paths.login}
              onClick={(event) => {
                // A new document, so that nothing of the session stays in memory.
                event.preventDefault();
                window.location.assign(paths.login);
              }}
            >
              {action}
            </a>
          )}
          {action && kind !== 401 && (
            <button type="submit" className="button button-primary" onClick={report?.retry}>
              {action}
            </button>
          )}
          <button type="submit" className="button">
            {texts.close}
          </button>
        </div>
      </form>
    </dialog>
  );
}
