import { Trans, useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { PublicFrame } from '#features/frames/public-frame.tsx';
import { Certificate, NotCompleted } from '#features/papers/certificate.tsx';
import { openCertificate } from '#features/participant/find-participant.ts';
import { DeadLinkPage } from '#features/participant/person-page.tsx';
import { isolated } from '#lib/text.ts';
import { pageData, pageRequest, readIn } from '#page-request.ts';

/** The certificate of someone who has completed a cohort, by the link in their emails. */
export default async function CertificatePage({ query }: PageProps<'/p/certificate'>) {
  const { ctx } = pageRequest();
  const { t } = useLingui();
  const parameters = new URLSearchParams(query);
  const link = parameters.get('token') ?? '';
  const id = parameters.get('place') ?? '';
  const found = await pageData(openCertificate(ctx, link, id));
  if (found === null) {
    return <DeadLinkPage link={link} />;
  }
  const { participant, place, attended } = found;
  const address = new URLSearchParams({ token: link, place: id });
  readIn(participant.language, query, `/p/certificate?${address}&`);
  const first = isolated(participant.name.split(/\s+/)[0] ?? '');
  const course = <bdi>{place?.courseName}</bdi>;
  // The file that it is saved as gets this name.
  const title = [
    t`Certificate of completion`,
    place?.courseName,
    place?.kind === 'dated' && place.name,
  ].filter(Boolean);
  return (
    <PublicFrame title={title.join(' · ')}>
      <main className="public-column max-w-160">
        {place === null || place.completedAt === null || attended === null ? (
          <NotCompleted />
        ) : (
          <>
            <h1 className="no-print">{t`Well done, ${first}.`}</h1>
            <p className="frame-lead no-print">
              <Trans>You have completed {course}.</Trans>
            </p>
            <Certificate
              name={participant.name}
              cohort={place}
              completedAt={place.completedAt}
              instructor={participant.instructor.name}
              attended={attended}
              now={ctx.now()}
            />
          </>
        )}
        <p className="no-print">
          <a className="link" href={`/p/${link}`}>
            <Trans>Back to your page</Trans>
          </a>
        </p>
      </main>
    </PublicFrame>
  );
}
