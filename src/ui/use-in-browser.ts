import { useSyncExternalStore } from 'react';

/**
 * What only the browser knows; until the page is hydrated, the value for before.
 *
 * @param listen has it read again; returns the function that unsubscribes
 */
export function useInBrowser<Value>(
  read: () => Value,
  before: Value,
  listen: (readAgain: () => void) => () => void = neverChanges,
): Value {
  return useSyncExternalStore(listen, read, () => before);
}

function neverChanges(): () => void {
  return () => {};
}
