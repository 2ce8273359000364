import type { PageProps } from 'waku/router';
import { unstable_redirect as redirect } from 'waku/router/server';
import {
  ConfirmInterestPage,
  ConfirmRequestPage,
  DeadConfirmationPage,
} from '#features/enrolling/confirmation-pages.tsx';
import { findInterest } from '#features/enrolling/find-interest.ts';
import { findRequest } from '#features/enrolling/find-request.ts';
import { pageData, pageRequest } from '#page-request.ts';

/** Shows what an emailed link confirms, and for whom. Only the button uses it, not opening it. */
export default async function ConfirmationPage({ query }: PageProps<'/p/confirm'>) {
  const { ctx, locale } = pageRequest();
  const parameters = new URLSearchParams(query);
  const token = parameters.get('token') ?? '';
  // A token is signed for one of the two, so only one of them asks the database.
  const request = await pageData(findRequest(ctx, token));
  const interest = request === null ? await pageData(findInterest(ctx, token)) : null;
  const language = (request ?? interest)?.language ?? locale;
  if (!parameters.has('lang') && language !== locale) {
    redirect(`/p/confirm?token=${token}&lang=${language}`);
  }
  if (request !== null) {
    return <ConfirmRequestPage token={token} request={request} />;
  }
  return interest === null ? (
    <DeadConfirmationPage />
  ) : (
    <ConfirmInterestPage token={token} interest={interest} />
  );
}
