import { Trans, useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { findOwnCertificate } from '#features/learning/find-own-certificate.ts';
import { LearnerFrame } from '#features/learning/learner-frame.tsx';
import { learningPaths } from '#features/learning/learning-paths.ts';
import { Certificate } from '#features/papers/certificate.tsx';
import { closedPage } from '#learner-page.tsx';
import { learnerRequest, pageData } from '#page-request.ts';

/** The certificate of someone whom this device remembers. Opening it changes nothing. */
export default async function OwnCertificatePage({
  course: id,
}: PageProps<'/learn/[course]/attestation'>) {
  const { ctx, device } = learnerRequest();
  const { t } = useLingui();
  const { learner, certificate } = await pageData(findOwnCertificate(ctx, device, id));
  if (certificate === null) {
    return closedPage({ learner, ended: null }, id, 'certificate');
  }
  // The file that it is saved as gets this name.
  const title = `${t`Certificate of completion`} · ${certificate.cohort.courseName}`;
  return (
    <LearnerFrame title={title} person={learner} className="public-column max-w-160">
      <h1 className="sr-only">{t`Certificate of completion`}</h1>
      <Certificate {...certificate} now={ctx.now()} />
      <p className="no-print">
        <a className="link" href={learningPaths.course(id)}>
          <Trans>Back to the course</Trans>
        </a>
      </p>
    </LearnerFrame>
  );
}
