import type { PageProps } from 'waku/router';
import { unstable_redirect as redirect } from 'waku/router/server';
import { openProof } from '#features/rights/change-address.ts';
import { AddressPage, DeadRightsPage } from '#features/rights/rights-pages.tsx';
import { pageData, pageRequest } from '#page-request.ts';

/** Shows what an email to another address confirms. Only the button uses it, not opening it. */
export default async function AddressLinkPage({ query }: PageProps<'/p/address'>) {
  const { ctx, locale } = pageRequest();
  const parameters = new URLSearchParams(query);
  const token = parameters.get('token') ?? '';
  const proof = await pageData(openProof(ctx, token));
  if (proof === null) {
    return <DeadRightsPage />;
  }
  if (!parameters.has('lang') && proof.language !== locale) {
    redirect(`/p/address?token=${token}&lang=${proof.language}`);
  }
  return <AddressPage token={token} address={proof.address} />;
}
