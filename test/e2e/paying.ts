import type { Page } from '@playwright/test';
import { askApi, expect } from './support.ts';

/**
 * Connects the instructor who is signed in to Stripe, so that people can pay them online.
 *
 * @returns what pauses the account at Stripe, which then takes no payments
 */
export async function connectStripe(page: Page): Promise<{ pause: () => Promise<void> }> {
  const begun = await askApi(page, 'POST', '/api/payment-account/', { country: 'FR' });
  const { redirect_to: form } = begun as { redirect_to: string };
  const [account] = /acct_\w+/.exec(await (await page.request.get(form)).text()) ?? [];
  // At the stand-in, which then leads back.
  const finished = await page.request.post(form, { form: { how: 'finish' }, maxRedirects: 0 });
  expect(finished.status()).toBe(303);
  await askApi(page, 'POST', '/api/payment-account/check/');
  return {
    pause: async () => {
      const data = { action: 'pause', id: account };
      await page.request.post(`${new URL(form).origin}/_control/act`, { data });
    },
  };
}
