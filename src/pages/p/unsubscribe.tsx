import type { PageProps } from 'waku/router';
import { unstable_redirect as redirect } from 'waku/router/server';
import { findSubscription } from '#features/unsubscribing/subscription.ts';
import { UnsubscribePage } from '#features/unsubscribing/unsubscribe-page.tsx';
import { pageData, pageRequest } from '#page-request.ts';

/** Where an email's link to its end leads. Only the button ends anything, not opening it. */
export default async function UnsubscribeFromEmailsPage({ query }: PageProps<'/p/unsubscribe'>) {
  const { ctx, locale } = pageRequest();
  const parameters = new URLSearchParams(query);
  const link = parameters.get('u') ?? '';
  const subscription = await pageData(findSubscription(ctx, link));
  const language = subscription?.reader?.language ?? locale;
  if (!parameters.has('lang') && language !== locale) {
    const failed = parameters.has('failed') ? '&failed=1' : '';
    redirect(`/p/unsubscribe?u=${encodeURIComponent(link)}${failed}&lang=${language}`);
  }
  return (
    <UnsubscribePage link={link} subscription={subscription} hasFailed={parameters.has('failed')} />
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
