import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { type MessageAudience, messageAudiences } from '#db/values.ts';
import { findAudiences } from '#features/messages/audiences.ts';
import { WriteMessage } from '#features/messages/message-sections.tsx';
import { sampleMessage } from '#features/messages/send-message.ts';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';

export default async function MessagePage({ id, query }: PageProps<'/cohorts/[id]/message'>) {
  return cohortPage(
    id,
    msg`Write to the group`,
    { counts: findAudiences(id, readersIn(query).chosen) },
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
          {...readersIn(query)}
          sample={await sampleMessage(ctx, cohort)}
        />
        <LeaveDialog />
      </>
    ),
    { section: 'emails' },
  );
}

/** Whom it is for at first: an audience, or whom the roster has chosen, by their enrollments. */
function readersIn(query: string): { first: MessageAudience; chosen: string[] } {
  const to = new URLSearchParams(query).get('to') ?? '';
  const audience = messageAudiences.find((name) => name === to);
  if (audience !== undefined) {
    return { first: audience, chosen: [] };
  }
  const chosen = to.split(',').filter(Boolean);
  return { first: chosen.length > 0 ? 'chosen' : 'enrolled', chosen };
}
