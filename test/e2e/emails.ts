import type { Page } from '@playwright/test';
import { clientOf, linkIn, type Mail, newEmail } from './people.ts';
import { askApi } from './support.ts';
import type { View } from './views.ts';

type Email = {
  /** That of its file in `src/email`. */
  name: string;
  /** Has it sent to someone who uses the language of the page's cookie. */
  receive: (page: Page) => Promise<Mail>;
};

export const emails: Email[] = [
  { name: 'verify-email', receive: receiveVerification },
  { name: 'login-link', receive: receiveLogin },
  { name: 'address-change-link', receive: receiveChangeLink },
  { name: 'address-change-requested', receive: receiveRequested },
  { name: 'address-changed', receive: receiveChanged },
  { name: 'address-restored', receive: receiveRestored },
  { name: 'address-taken', receive: receiveTaken },
];

/** All emails, alone in a window. */
export const emailViews: View[] = emails.map(({ name, receive }) => ({
  name: `email-${name}`,
  open: async (page) => {
    const { html } = await receive(page);
    await page.setContent(html);
  },
}));

async function receiveVerification(page: Page): Promise<Mail> {
  const client = await clientOf(page);
  const email = newEmail();
  await client.requestSignUp(email);
  return client.mailTo(email);
}

async function receiveLogin(page: Page): Promise<Mail> {
  const client = await clientOf(page);
  const email = newEmail();
  await client.signUp(email);
  await askApi(page, 'POST', '/api/accounts/auth/login/', { email });
  return client.mailTo(email, '', 2);
}

async function receiveChangeLink(page: Page): Promise<Mail> {
  const client = await clientOf(page);
  const { newAddress } = await client.requestAddressChange();
  return client.mailTo(newAddress);
}

async function receiveRequested(page: Page): Promise<Mail> {
  const client = await clientOf(page);
  const { email } = await client.requestAddressChange();
  return client.mailTo(email, '', 2);
}

async function receiveChanged(page: Page): Promise<Mail> {
  const client = await clientOf(page);
  const { email, confirmLink } = await client.requestAddressChange();
  await client.confirm(confirmLink);
  return client.mailTo(email, '', 3);
}

async function receiveRestored(page: Page): Promise<Mail> {
  const client = await clientOf(page);
  const { email, newAddress, confirmLink } = await client.requestAddressChange();
  await client.confirm(confirmLink);
  const { searchParams } = new URL(linkIn(await client.mailTo(email, '', 3)));
  const token = searchParams.get('token');
  await askApi(page, 'POST', '/api/accounts/auth/undo-address-change/', { token });
  return client.mailTo(newAddress, '', 2);
}

async function receiveTaken(page: Page): Promise<Mail> {
  const client = await clientOf(page);
  const [taken, email] = [newEmail(), newEmail()];
  await client.signUp(taken);
  await client.signUp(email);
  const { id } = (await askApi(page, 'GET', '/api/accounts/auth/user/')) as { id: string };
  await askApi(page, 'PATCH', `/api/accounts/${id}/`, { email: taken });
  return client.mailTo(taken, '', 2);
}
