import type { ReactNode } from 'react';

/** A failure that belongs to a form as a whole. The region is always there, so that screen readers announce what enters it. */
export function Alert({ children }: { children: ReactNode }) {
  return <div role="alert">{children && <div className="alert mb-6">{children}</div>}</div>;
}
