'use client';

import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import { onTabMessage } from '#client/tabs.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { useLoadPage } from '#router/use-load-page.ts';
import { CodeStep, type CodeTexts } from './code-step.tsx';
import { useMailed } from './mail-form.tsx';

type CheckYourEmailProps = {
  title: string;
  /** Says where the email went. */
  intro: ReactNode;
  back: string;
  code: CodeTexts;
  messages: FormMessages;
  foot: ReactNode;
};

/**
 * The last step of sign-up and login on this page, which takes the code in the email. If the link
 * in it is used in another tab, this one continues too.
 */
export function CheckYourEmail(props: CheckYourEmailProps) {
  const { title, intro, back, code, messages, foot } = props;
  const { email, refusal, goBack } = useMailed();
  const headingRef = useRef<HTMLHeadingElement>(null);
  const leave = useLeave();

  useEffect(() => {
    // The form that had the focus is gone, and on a touch screen, the field does not take it.
    if (document.activeElement === document.body) {
      headingRef.current?.focus();
    }
  }, []);

  return (
    <>
      <button
        type="button"
        className="button button-quiet button-small mb-4 -ml-[0.9375rem] min-h-9 self-start"
        onClick={goBack}
      >
        <span className="icon icon-back size-4" />
        {back}
      </button>
      <h1 ref={headingRef} tabIndex={-1}>
        {title}
      </h1>
      {refusal !== null && (
        <div role="alert" className="alert mt-4">
          {refusal}
        </div>
      )}
      <p className="frame-lead">{intro}</p>
      <CodeStep email={email} texts={code} messages={messages} onDone={leave} />
      <p className="frame-foot">{foot}</p>
    </>
  );
}

/**
 * Leaves the page once the browser is signed in: by the code here, or by the link in another tab.
 *
 * @returns a function that continues to a page, with a new document in place of this step, so that
 *   nothing of it stays in memory or in the browser's history
 */
function useLeave(): (redirectTo: string) => void {
  const loadPage = useLoadPage();
  const isLeaving = useRef(false);
  const leave = useCallback((redirectTo: string) => {
    // Once: the code here tells this tab too.
    if (!isLeaving.current) {
      isLeaving.current = true;
      window.location.replace(redirectTo);
    }
  }, []);

  useEffect(() => {
    // The server redirects signed-in browsers from here.
    const leaveHere = () => leave(window.location.pathname + window.location.search);
    const check = () => {
      if (document.visibilityState === 'visible') {
        void loadPage(window.location);
      }
    };
    const stopListening = onTabMessage(({ kind }) => kind === 'confirmed' && leaveHere());
    document.addEventListener('visibilitychange', check);
    return () => {
      stopListening();
      document.removeEventListener('visibilitychange', check);
    };
  }, [leave, loadPage]);

  return leave;
}
