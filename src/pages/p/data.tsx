import type { PageProps } from 'waku/router';
import { openRights } from '#features/rights/rights-holder.ts';
import { DataPage, DeadRightsPage } from '#features/rights/rights-pages.tsx';
import { pageData, pageRequest, readIn } from '#page-request.ts';

/** Opening it changes nothing: what it offers is done by its buttons. */
export default async function DataLinkPage({ query }: PageProps<'/p/data'>) {
  const { ctx } = pageRequest();
  const token = new URLSearchParams(query).get('token') ?? '';
  const holder = await pageData(openRights(ctx, 'data', token));
  if (holder === null) {
    return <DeadRightsPage />;
  }
  readIn(holder.language, query, `/p/data?token=${token}&`);
  return <DataPage token={token} holder={holder} />;
}
