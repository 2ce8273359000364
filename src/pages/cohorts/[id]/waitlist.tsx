import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { findWaitlist } from '#features/places/find-enrollments.ts';
import { Waitlist } from '#features/roster/waitlist.tsx';

export default async function WaitlistPage({ id, query }: PageProps<'/cohorts/[id]/waitlist'>) {
  return cohortPage(
    id,
    'waitlist',
    { waitlist: findWaitlist(id, new URLSearchParams(query).get('after')) },
    ({ cohort, waitlist }, ctx) =>
      waitlist && <Waitlist cohort={cohort} waitlist={waitlist} now={ctx.now()} />,
  );
}
