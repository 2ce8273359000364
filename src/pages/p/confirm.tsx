import type { PageProps } from 'waku/router';
import { findInterest } from '#features/enrolling/confirm-interest.ts';
import { findRequest } from '#features/enrolling/confirm-request.ts';
import {
  ConfirmInterestPage,
  ConfirmRequestPage,
  DeadConfirmationPage,
} from '#features/enrolling/confirmation-pages.tsx';
import { pageData, pageRequest, readIn } from '#page-request.ts';

/** Shows what an emailed link confirms, and for whom. Only the button uses it, not opening it. */
export default async function ConfirmationPage({ query }: PageProps<'/p/confirm'>) {
  const { ctx, locale } = pageRequest();
  const token = new URLSearchParams(query).get('token') ?? '';
  // A token is signed for one of the two, so only one of them asks the database.
  const request = await pageData(findRequest(ctx, token));
  const interest = request === null ? await pageData(findInterest(ctx, token)) : null;
  readIn((request ?? interest)?.language ?? locale, query, `/p/confirm?token=${token}&`);
  if (request !== null) {
    return <ConfirmRequestPage token={token} request={request} />;
  }
  return interest === null ? (
    <DeadConfirmationPage />
  ) : (
    <ConfirmInterestPage token={token} interest={interest} />
  );
}
