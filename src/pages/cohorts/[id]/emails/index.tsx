import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { EmailsPage } from '#features/emails/emails-page.tsx';
import { findEmails } from '#features/emails/find-emails.ts';

export default async function CohortEmailsPage({ id }: PageProps<'/cohorts/[id]/emails'>) {
  return cohortPage(
    id,
    'emails',
    { emails: findEmails(id) },
    ({ cohort, emails }) => emails && <EmailsPage cohort={cohort} emails={emails} />,
  );
}
