import type { PageProps } from 'waku/router';
import { participantMailKinds } from '#email/kinds.ts';
import { letterTexts } from '#email/participant-letter.ts';
import { Preview } from '#features/emails/email-preview.tsx';
import { previewEmail } from '#features/letters/sample.ts';
import { CohortFrame } from '#features/planning/cohort-frame.tsx';
import { findOwnCohort } from '#features/planning/own-cohorts.ts';
import { MissingPage } from '#missing-page.tsx';
import { redirectFromTrash, requireCourse } from '#page-request.ts';

export default async function EmailPage({
  id,
  kind: name,
}: PageProps<'/cohorts/[id]/emails/[kind]'>) {
  const request = await requireCourse({ cohort: findOwnCohort(id) });
  const { answers, ctx, i18n } = request;
  const { cohort } = answers;
  const kind = participantMailKinds.find((one) => one === name);
  if (cohort === null || kind === undefined) {
    return <MissingPage request={request} />;
  }
  redirectFromTrash(cohort);
  const preview = await previewEmail(ctx, cohort, kind);
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
