import { Trans, useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { findInterest } from '#features/enrolling/confirm-interest.ts';
import { findRequest } from '#features/enrolling/confirm-request.ts';
import {
  ConfirmInterestPage,
  ConfirmRequestPage,
  DeadConfirmationPage,
} from '#features/enrolling/confirmation-pages.tsx';
import { StartButton } from '#features/participant/participant-button.tsx';
import { pageData, pageRequest, readIn } from '#page-request.ts';

/** Shows what an emailed link confirms, and for whom. Only the button uses it, not opening it. */
export default async function ConfirmationPage({ query }: PageProps<'/p/confirm'>) {
  const { ctx, locale } = pageRequest();
  const { t } = useLingui();
  const token = new URLSearchParams(query).get('token') ?? '';
  // A token is signed for one of the two, so only one of them asks the database.
  const request = await pageData(findRequest(ctx, token));
  const interest = request === null ? await pageData(findInterest(ctx, token)) : null;
  readIn((request ?? interest)?.language ?? locale, query, `/p/confirm?token=${token}&`);
  if (request !== null) {
    const start = (
      <StartButton
        courseId={request.courseId}
        pendingLabel={t`Opening…`}
        className="button button-primary"
      >
        <Trans>Open the course</Trans>
      </StartButton>
    );
    return <ConfirmRequestPage token={token} request={request} start={start} />;
  }
  return interest === null ? (
    <DeadConfirmationPage />
  ) : (
    <ConfirmInterestPage token={token} interest={interest} />
  );
}
