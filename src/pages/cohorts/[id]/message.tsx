import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { WriteMessage } from '#features/messages/message-sections.tsx';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';

export default async function MessagePage({ id }: PageProps<'/cohorts/[id]/message'>) {
  return cohortPage(id, msg`Write to the group`, {}, ({ cohort }) => (
    <>
      <p className="text-muted">
        <Trans>
          Everyone who is enrolled gets your message as an email of their own. No one sees who else
          gets it.
        </Trans>
      </p>
      <WriteMessage cohort={cohort} />
      <LeaveDialog />
    </>
  ));
}
