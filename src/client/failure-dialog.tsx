import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { FailureTexts } from '#i18n/failures.ts';
import { paths } from '#paths.ts';
import { typedFields } from '#ui/typed-fields.ts';
import { keepDraft } from './drafts.ts';
import { type FailureReport, failureKind, isApiFailure, waitingTime } from './failures.ts';

type FailureDialogProps = {
  texts: FailureTexts;
  /** Another one opens the dialog again. */
  report: FailureReport;
  viewerId: string | null;
};

/** Shows why a request failed, with the button that helps. See `reportFailure`. */
export function FailureDialog({ texts, report, viewerId }: FailureDialogProps) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const [hasTyped, setHasTyped] = useState(false);
  const [now, setNow] = useState(0);
  useLayoutEffect(() => {
    setHasTyped(typedFields().length > 0);
    setNow(Date.now());
    const dialog = dialogRef.current;
    // Each report opens it.
    if (report && dialog?.open === false) {
      // Closing a menu returns the focus to its button, where the dialog then restores it.
      document.querySelector<HTMLElement>('[popover="auto"]:popover-open')?.hidePopover();
      dialog.showModal();
      dialog.querySelector<HTMLElement>('.button-primary:not(:disabled)')?.focus();
    }
  }, [report]);

  const { failure, retry } = report;
  const kind = failureKind(failure);
  const [title, text, action] = texts.kinds[kind];
  const isAnswer = isApiFailure(failure) && failure.status !== null;
  const body = isAnswer ? failure.body : null;
  const retryAt = (isAnswer && kind === 429 && failure.retryAt) || null;
  const isWaiting = retryAt !== null && now < retryAt;
  useEffect(() => {
    const tick = () => dialogRef.current?.open && setNow(Date.now());
    const timer = isWaiting ? setInterval(tick, 1000) : undefined;
    return () => clearInterval(timer);
  }, [isWaiting]);

  const message =
    retryAt === null ? (
      (kind === 422 && body?.errors?.join(', ')) || text
    ) : (
      <Waiting text={texts.waiting} retryAt={retryAt} now={now} />
    );
  const isSaidByServer = kind === 400 || kind === 403 || kind === 404 || kind === 'other';
  return (
    <dialog ref={dialogRef} className="dialog" aria-labelledby="failure-title">
      <form method="dialog">
        <div className="dialog-body">
          <span className="sign">
            <span className="icon icon-alert" />
          </span>
          <div>
            <h2 id="failure-title">{title}</h2>
            <p className="mt-1 text-muted">
              {message} {hasTyped && texts.draftKept}
            </p>
          </div>
          {isSaidByServer && body !== null && <p className="text-muted">{body.message}</p>}
          {/* There is nothing to ask us about a session that has expired, nor about a limit. */}
          {body !== null && kind !== 401 && kind !== 429 && (
            <Reference key={body.request_id} id={body.request_id} texts={texts} />
          )}
        </div>
        <div className="dialog-foot">
          <button type="submit" className="button button-quiet">
            {texts.close}
          </button>
          {action && kind === 401 && <LoginLink viewerId={viewerId}>{action}</LoginLink>}
          {action && kind !== 401 && (
            <button
              type="submit"
              className="button button-primary"
              disabled={isWaiting}
              onClick={retry}
            >
              {action}
            </button>
          )}
        </div>
      </form>
    </dialog>
  );
}

/** When to try again. */
function Waiting({ text, retryAt, now }: { text: string; retryAt: number; now: number }) {
  const [before, after] = text.split('{when}');
  return (
    <>
      {before}
      <time dateTime={new Date(retryAt).toISOString()}>{waitingTime(retryAt, now)}</time>
      {after}
    </>
  );
}

/** The request's id, by which we find it in our logs. */
function Reference({ id, texts }: { id: string; texts: FailureTexts }) {
  const codeRef = useRef<HTMLElement>(null);
  const [isCopied, setIsCopied] = useState(false);

  async function copy(): Promise<void> {
    try {
      await window.navigator.clipboard.writeText(id);
      setIsCopied(true);
    } catch {
      // Not allowed here: it is selected instead.
      window.getSelection()?.selectAllChildren(codeRef.current ?? document.body);
    }
  }

  return (
    <div className="reference">
      <span className="min-w-0 flex-1 py-1">
        {texts.reference}{' '}
        <code ref={codeRef} className="block">
          {id}
        </code>
      </span>
      <button type="button" className="button button-quiet button-small" onClick={copy}>
        <span className={`icon size-4 ${isCopied ? 'icon-check' : 'icon-copy'}`} />
        {isCopied ? texts.copied : texts.copy}
      </button>
      <span role="status" className="sr-only">
        {isCopied && texts.copied}
      </span>
    </div>
  );
}

/** Leads to /login and, from there, back to what is typed on this page. */
function LoginLink({ viewerId, children }: { viewerId: string | null; children: ReactNode }) {
  const { pathname, search, hash } = window.location;
  const href = paths.loginFor(pathname + search + hash, true);
  return (
    <a
      className="button button-primary"
      href={href}
      onClick={(event) => {
        event.preventDefault();
        if (viewerId !== null) {
          keepDraft(viewerId);
        }
        // A new document, so that nothing of the session stays in memory.
        window.location.assign(href);
      }}
    >
      {children}
    </a>
  );
}
