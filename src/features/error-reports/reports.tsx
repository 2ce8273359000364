import type { Viewer } from '#features/auth/find-actor.ts';
import type { ReportSettings } from './start-sentry.ts';

export type ReportsProps = {
  /** The page's request, as page-request.ts has it. */
  request: { reporting: ReportSettings | null };
  /** Who is signed in. */
  viewer?: Viewer | null | undefined;
};

/** Reports errors of the browser, in the frame of every page. */
export async function Reports({ request, viewer = null }: ReportsProps) {
  if (request.reporting === null) {
    return null;
  }
  // Loaded here, so that no browser is sent it where errors are not reported.
  const { ErrorReports } = await import('./error-reports.tsx');
  const person = viewer && {
    id: viewer.id,
    email: viewer.email,
    username: `${viewer.firstName} ${viewer.lastName}`,
  };
  return <ErrorReports settings={request.reporting} person={person} />;
}
