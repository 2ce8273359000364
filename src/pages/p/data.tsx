import type { PageProps } from 'waku/router';
import { unstable_redirect as redirect } from 'waku/router/server';
import { openRights } from '#features/rights/rights-holder.ts';
import { DataPage, DeadRightsPage } from '#features/rights/rights-pages.tsx';
import { pageData, pageRequest } from '#page-request.ts';

/** Opening it changes nothing: what it offers is done by its buttons. */
export default async function DataLinkPage({ query }: PageProps<'/p/data'>) {
  const { ctx, locale } = pageRequest();
  const parameters = new URLSearchParams(query);
  const token = parameters.get('token') ?? '';
  const holder = await pageData(openRights(ctx, 'data', token));
  if (holder === null) {
    return <DeadRightsPage />;
  }
  if (!parameters.has('lang') && holder.language !== locale) {
    redirect(`/p/data?token=${token}&lang=${holder.language}`);
  }
  return <DataPage token={token} holder={holder} />;
}
