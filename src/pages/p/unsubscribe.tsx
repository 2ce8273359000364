import type { PageProps } from 'waku/router';
import { findSubscription } from '#features/unsubscribing/subscription.ts';
import { UnsubscribePage } from '#features/unsubscribing/unsubscribe-page.tsx';
import { pageData, pageRequest, readIn } from '#page-request.ts';

/** Where an email's link to its end leads. Only the button ends anything, not opening it. */
export default async function UnsubscribeFromEmailsPage({ query }: PageProps<'/p/unsubscribe'>) {
  const { ctx, locale } = pageRequest();
  const parameters = new URLSearchParams(query);
  const link = parameters.get('u') ?? '';
  const subscription = await pageData(findSubscription(ctx, link));
  const hasFailed = parameters.has('failed');
  const failed = hasFailed ? '&failed=1' : '';
  const address = `/p/unsubscribe?u=${encodeURIComponent(link)}${failed}&` as const;
  readIn(subscription?.reader?.language ?? locale, query, address);
  return <UnsubscribePage link={link} subscription={subscription} hasFailed={hasFailed} />;
}
