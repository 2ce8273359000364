'use client';

import { type ReactNode, useEffect, useRef } from 'react';

/** What has happened, which screen readers say and the focus goes to: its form is gone. */
export function Outcome({ title, children }: { title: string; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <div ref={ref} tabIndex={-1} role="status" className="notice">
      <p>
        <strong>{title}</strong>
      </p>
      <p>{children}</p>
    </div>
  );
}

type PageOutcomeProps = {
  title: ReactNode;
  text: ReactNode;
  /** Whether it is said at first, so that nothing has lost the focus. */
  isAtFirst?: boolean;
  children?: ReactNode;
};

/** Says what has happened. The focus of the button that is gone moves to it, for screen readers. */
export function PageOutcome({ title, text, isAtFirst = false, children }: PageOutcomeProps) {
  const titleRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isAtFirst) {
      titleRef.current?.focus();
    }
  }, [isAtFirst]);
  return (
    <>
      <h1 ref={titleRef} tabIndex={-1}>
        {title}
      </h1>
      <p className="frame-lead">{text}</p>
      {children}
    </>
  );
}
