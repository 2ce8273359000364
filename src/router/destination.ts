'use client';

import { createContext, useContext } from 'react';

/** The path of the page that is on its way. */
export const DestinationContext = createContext<string | null>(null);

/** The path of the page that is on its way; null while none is. */
export function useDestination(): string | null {
  return useContext(DestinationContext);
}
