import type { PageProps } from 'waku/router';
import { openProof } from '#features/rights/change-address.ts';
import { AddressPage, DeadRightsPage } from '#features/rights/rights-pages.tsx';
import { pageData, pageRequest, readIn } from '#page-request.ts';

/** Shows what an email to another address confirms. Only the button uses it, not opening it. */
export default async function AddressLinkPage({ query }: PageProps<'/p/address'>) {
  const { ctx } = pageRequest();
  const token = new URLSearchParams(query).get('token') ?? '';
  const proof = await pageData(openProof(ctx, token));
  if (proof === null) {
    return <DeadRightsPage />;
  }
  readIn(proof.language, query, `/p/address?token=${token}&`);
  return <AddressPage token={token} address={proof.address} />;
}
