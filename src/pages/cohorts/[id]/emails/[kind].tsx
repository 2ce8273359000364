import type { PageProps } from 'waku/router';
import { wordsAbout } from '#email/letters/letter-text.ts';
import { letterTexts } from '#email/participant-letter.ts';
import { Preview } from '#features/emails/email-preview.tsx';
import { findEmail, isSentBy } from '#features/emails/find-email.ts';
import { previewEmail } from '#features/letters/sample.ts';
import { CohortFrame } from '#features/planning/cohort-frame.tsx';
import { findOwnCohort } from '#features/planning/own-cohorts.ts';
import { MissingPage } from '#missing-page.tsx';
import { redirectFromTrash, requireCourse } from '#page-request.ts';

export default async function EmailPage({ id, kind }: PageProps<'/cohorts/[id]/emails/[kind]'>) {
  const request = await requireCourse({
    cohort: findOwnCohort(id),
    email: findEmail(id, kind),
  });
  const { answers, ctx, i18n } = request;
  const { cohort, email } = answers;
  if (cohort === null || email === null || !isSentBy(cohort, email.kind)) {
    return <MissingPage request={request} />;
  }
  redirectFromTrash(cohort);
  const preview = await previewEmail(ctx, cohort, email.kind, email.facts);
  return (
    <CohortFrame
      request={request}
      cohort={cohort}
      section={null}
      parentSection="emails"
      title={i18n._(wordsAbout(letterTexts[email.kind], cohort.kind).name)}
    >
      <Preview cohort={cohort} preview={preview} address={ctx.viewer.email} />
    </CohortFrame>
  );
}
