import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { findRoster } from '#features/roster/find-roster.ts';
import { Roster } from '#features/roster/roster.tsx';

export default async function RosterPage({ id, query }: PageProps<'/cohorts/[id]/roster'>) {
  return cohortPage(id, 'roster', { roster: findRoster(id, query) }, ({ cohort, roster }, ctx) => (
    <Roster cohort={cohort} roster={roster} now={ctx.now()} />
  ));
}
