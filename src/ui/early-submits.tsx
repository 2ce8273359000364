import 'server-only';

/**
 * Keeps what is submitted while the document still arrives. React keeps submits only from the end
 * of the document on: before that, a form whose action is a function would do nothing.
 */
export function EarlySubmits({ nonce }: { nonce: string | undefined }) {
  return <script nonce={nonce}>{`(${keepEarlySubmits})()`}</script>;
}

/** Runs in the browser, as it is written here. */
function keepEarlySubmits(): void {
  const early: SubmitEvent[] = [];
  const keep = (event: SubmitEvent) => {
    const form = event.target as HTMLFormElement;
    // React gives these forms an action that does nothing.
    if (!event.defaultPrevented && form.getAttribute('action')?.startsWith('javascript:')) {
      event.preventDefault();
      early.push(event);
    }
  };
  addEventListener('submit', keep);
  addEventListener('DOMContentLoaded', () => {
    removeEventListener('submit', keep);
    for (const { target, submitter } of early) {
      (target as HTMLFormElement).requestSubmit(submitter);
    }
  });
}
