import type { Viewer } from '#features/auth/find-actor.ts';
import type { ReportSettings } from './start-sentry.ts';

export type ReportsProps = {
  /** The page's request; see page-request.ts. */
  request: { reporting: ReportSettings | null };
  /** The signed-in user; null if signed out. */
  viewer?: Viewer | null | undefined;
};

/** Reports errors of the browser. Part of the layout of every page. */
export async function Reports({ request, viewer = null }: ReportsProps) {
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
