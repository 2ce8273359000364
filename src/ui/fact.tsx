import type { ReactNode } from 'react';

type FactProps = { term: ReactNode; dir?: 'auto'; children: ReactNode };

/** What something is called and what it is, in a `dl`. */
export function Fact({ term, dir, children }: FactProps) {
  return (
    <div>
      <dt>{term}</dt>
      <dd dir={dir}>{children}</dd>
    </div>
  );
}
