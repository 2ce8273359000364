'use client';

import { useLayoutEffect, useRef } from 'react';
import type { ReportSettings } from './start-sentry.ts';
import { type ReportedPerson, watchForErrors } from './watch-for-errors.ts';

type ErrorReportsProps = {
  settings: ReportSettings;
  /** Who is signed in. */
  person: ReportedPerson | null;
};

/** Reports errors of the browser. Rendered only where error reporting is on. */
export function ErrorReports({ settings, person }: ErrorReportsProps) {
  const setPerson = useRef<(person: ReportedPerson | null) => void>(null);
  // Before the page's effects, which may be the first to throw. It outlives the page.
  useLayoutEffect(() => {
    setPerson.current ??= watchForErrors(settings);
    setPerson.current(person);
  });
  return null;
}
