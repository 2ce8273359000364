import type { Context } from '#context.ts';

/**
 * A page of Stripe's dashboard, which shows the account of who is signed in there. The stand-in has
 * one page for everything.
 */
export function dashboardUrl({ config }: Pick<Context, 'config'>, path = ''): string {
  const base = config.stripe?.baseUrl ?? '';
  return base === 'https://api.stripe.com' ? `https://dashboard.stripe.com/${path}` : `${base}/`;
}
