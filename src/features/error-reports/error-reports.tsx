'use client';

import { useLayoutEffect } from 'react';
import type { ReportSettings } from './start-sentry.ts';
import { type ReportedPerson, watchForErrors } from './watch-for-errors.ts';

type ErrorReportsProps = {
  settings: ReportSettings;
  /** Undefined leaves the user as it is. */
  person: ReportedPerson | null | undefined;
};

/** One per document, for all pages that it shows. */
const watch: { setPerson?: (person: ReportedPerson | null) => void } = {};

/** Reports errors of the browser. Rendered only where error reporting is on. */
export function ErrorReports({ settings, person }: ErrorReportsProps) {
  // Before the page's effects, which may be the first to throw.
  useLayoutEffect(() => {
    watch.setPerson ??= watchForErrors(settings);
    if (person !== undefined) {
      watch.setPerson(person);
    }
  });
  return null;
}
