import type { PageProps } from 'waku/router';
import { findCheckoutState } from '#features/participant/find-checkout-state.ts';
import { PaidPage } from '#features/participant/paid-page.tsx';
import { pageData, pageRequest, readIn } from '#page-request.ts';

/** Where Stripe leads back to, paid or not. Opening it changes nothing. */
export default async function PaidLinkPage({ query }: PageProps<'/p/paid'>) {
  const { ctx, locale } = pageRequest();
  const link = new URLSearchParams(query).get('c') ?? '';
  const checkout = await pageData(findCheckoutState(ctx, link));
  readIn(checkout?.language ?? locale, query, `/p/paid?c=${encodeURIComponent(link)}&`);
  return <PaidPage link={link} checkout={checkout} />;
}
