'use client';

import { type ReactNode, useEffect, useRef } from 'react';

type OutcomeProps = { title: string; children: ReactNode };

/** What has happened, which screen readers say and the focus goes to: its form is gone. */
export function Outcome({ title, children }: OutcomeProps) {
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
