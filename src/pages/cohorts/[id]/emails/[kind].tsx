import type { PageProps } from 'waku/router';
import { participantMailKinds } from '#email/kinds.ts';
import { letterTexts } from '#email/participant-letter.ts';
import { Preview } from '#features/emails/email-preview.tsx';
import { announcementOf } from '#features/emails/real-changes.ts';
import { previewEmail } from '#features/letters/sample.ts';
import { findChanges } from '#features/messages/announce-changes.ts';
import { CohortFrame } from '#features/planning/cohort-frame.tsx';
import { findOwnCohort } from '#features/planning/own-cohorts.ts';
import { MissingPage } from '#missing-page.tsx';
import { redirectFromTrash, requireCourse } from '#page-request.ts';

export default async function EmailPage({
  id,
  kind: name,
}: PageProps<'/cohorts/[id]/emails/[kind]'>) {
  const request = await requireCourse({
    cohort: findOwnCohort(id),
    changes: findChanges(id),
  });
  const { answers, ctx, i18n } = request;
  const { cohort, changes } = answers;
  const asked = participantMailKinds.find((one) => one === name);
  if (cohort === null || asked === undefined) {
    return <MissingPage request={request} />;
  }
  redirectFromTrash(cohort);
  const { kind, facts } = announcementOf(asked, changes);
  const preview = await previewEmail(ctx, cohort, kind, facts);
  return (
    <CohortFrame
      request={request}
      cohort={cohort}
      section={null}
      of="emails"
      title={i18n._(letterTexts[kind].name)}
    >
      <Preview cohort={cohort} preview={preview} address={ctx.viewer.email} />
    </CohortFrame>
  );
}
