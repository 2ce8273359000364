import type { PageProps } from 'waku/router';
import { openRights } from '#features/rights/rights-holder.ts';
import { DeadRightsPage, RemovePage } from '#features/rights/rights-pages.tsx';
import { pageData, pageRequest, readIn } from '#page-request.ts';

/** Opening it changes nothing: what it offers is done by its buttons. */
export default async function RemoveLinkPage({ query }: PageProps<'/p/remove'>) {
  const { ctx } = pageRequest();
  const token = new URLSearchParams(query).get('token') ?? '';
  const holder = await pageData(openRights(ctx, 'remove', token));
  if (holder === null) {
    return <DeadRightsPage />;
  }
  readIn(holder.language, query, `/p/remove?token=${token}&`);
  return <RemovePage token={token} holder={holder} />;
}
