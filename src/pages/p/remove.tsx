import type { PageProps } from 'waku/router';
import { unstable_redirect as redirect } from 'waku/router/server';
import { openRights } from '#features/rights/rights-holder.ts';
import { DeadRightsPage, RemovePage } from '#features/rights/rights-pages.tsx';
import { pageData, pageRequest } from '#page-request.ts';

/** Opening it changes nothing: what it offers is done by its buttons. */
export default async function RemoveLinkPage({ query }: PageProps<'/p/remove'>) {
  const { ctx, locale } = pageRequest();
  const parameters = new URLSearchParams(query);
  const token = parameters.get('token') ?? '';
  const holder = await pageData(openRights(ctx, 'remove', token));
  if (holder === null) {
    return <DeadRightsPage />;
  }
  if (!parameters.has('lang') && holder.language !== locale) {
    redirect(`/p/remove?token=${token}&lang=${holder.language}`);
  }
  return <RemovePage token={token} holder={holder} />;
}
