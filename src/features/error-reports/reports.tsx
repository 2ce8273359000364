import type { Viewer } from '#features/identity/find-actor.ts';
import type { ReportSettings } from './start-sentry.ts';

export type ReportsProps = {
  /** The page's request; see page-request.ts. */
  request: { reporting: ReportSettings | null };
  /** The signed-in user; null if signed out, undefined if the caller doesn't know. */
  viewer?: Viewer | null | undefined;
};

/**
 * Reports errors of the browser. In the root, outside of its error boundary, it starts before
 * anything can break; in the layout of a page it adds the user.
 */
export async function Reports({ request, viewer }: ReportsProps) {
  if (request.reporting === null) {
    return null;
  }
  // Imported on demand, so that browsers don't load it where error reporting is off.
  const { ErrorReports } = await import('./error-reports.tsx');
  const person = viewer && {
    id: viewer.id,
    email: viewer.email,
    username: `${viewer.firstName} ${viewer.lastName}`,
  };
  return <ErrorReports settings={request.reporting} person={person} />;
}
