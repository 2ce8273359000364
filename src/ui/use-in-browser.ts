import { useSyncExternalStore } from 'react';

/** What only the browser knows; until the page is hydrated, the value for before. */
export function useInBrowser<Value>(read: () => Value, before: Value): Value {
  return useSyncExternalStore(neverChanges, read, () => before);
}

function neverChanges(): () => void {
  return () => {};
}
