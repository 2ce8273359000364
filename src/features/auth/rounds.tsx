'use client';

import { Fragment, type ReactNode, useState } from 'react';

/** A form that can begin anew: a new round is a new form, with nothing left of the last. */
export function Rounds({ children }: { children: (startAgain: () => void) => ReactNode }) {
  const [round, setRound] = useState(0);
  return <Fragment key={round}>{children(() => setRound(round + 1))}</Fragment>;
}
