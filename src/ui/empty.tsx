import type { ReactNode } from 'react';

type EmptyProps = {
  title: string;
  /** A sentence; after it, at most one button. */
  children: ReactNode;
};

/** What a page shows in the place of content that does not exist yet. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <section className="empty">
      <h2 className="text-[clamp(2.25rem,1.75rem+2.25vw,2.75rem)]/[1.18] tracking-[-0.022em]">
        {title}
      </h2>
      {children}
    </section>
  );
}
