import type { PageProps } from 'waku/router';
import { EmailsPage } from '#features/emails/emails-page.tsx';
import { findEmails } from '#features/emails/find-emails.ts';
import { CohortFrame } from '#features/planning/cohort-frame.tsx';
import { findOwnCohort } from '#features/planning/find-own-cohort.ts';
import { MissingPage } from '#features/shell/missing-page.tsx';
import { answerNotFound, redirectFromTrash, requireCourse } from '#page-request.ts';

export default async function CohortEmailsPage({ id }: PageProps<'/cohorts/[id]/emails'>) {
  const request = await requireCourse({ cohort: findOwnCohort(id), emails: findEmails(id) });
  const { cohort, emails } = request.answers;
  if (cohort === null || emails === null) {
    return <MissingPage request={answerNotFound(request)} />;
  }
  redirectFromTrash(cohort);
  return (
    <CohortFrame request={request} cohort={cohort} section="emails">
      <EmailsPage cohort={cohort} emails={emails} />
    </CohortFrame>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
