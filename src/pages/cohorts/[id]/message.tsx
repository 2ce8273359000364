import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { findAudiences } from '#features/messages/audiences.ts';
import { WriteMessage } from '#features/messages/message-sections.tsx';
import { sampleMessage } from '#features/messages/send-message.ts';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';

export default async function MessagePage({ id, query }: PageProps<'/cohorts/[id]/message'>) {
  return cohortPage(
    id,
    msg`Write to the group`,
    { counts: findAudiences(id, chosenIn(query)) },
    async ({ cohort, counts }, ctx) => (
      <>
        <p className="text-muted">
          <Trans>
            Everyone gets your message as an email of their own. No one sees who else gets it.
          </Trans>
        </p>
        <WriteMessage
          cohort={cohort}
          counts={counts}
          chosen={chosenIn(query)}
          sample={await sampleMessage(ctx, cohort)}
        />
        <LeaveDialog />
      </>
    ),
    { section: 'emails' },
  );
}

/** Whom the roster has chosen, by their enrollments. */
function chosenIn(query: string): string[] {
  return (new URLSearchParams(query).get('to') ?? '').split(',').filter(Boolean);
}
