'use client';

import { useLayoutEffect, useRef } from 'react';
import type { ReportSettings } from './start-sentry.ts';
import { type ReportedPerson, watchForErrors } from './watch-for-errors.ts';

type ErrorReportsProps = {
  settings: ReportSettings;
  /** Who is signed in. */
  person: ReportedPerson | null;
};

/** Reports what breaks in the browser. Stands on a page only where errors are reported. */
export function ErrorReports({ settings, person }: ErrorReportsProps) {
  const setPerson = useRef<(person: ReportedPerson | null) => void>(null);
  // Before the effects of the page, which may be the first to break. It goes on when all of the page is gone.
  useLayoutEffect(() => {
    setPerson.current ??= watchForErrors(settings);
    setPerson.current(person);
  });
  return null;
}
