import { addressChangeLink } from '#email/address-change-link.ts';
import { addressChangeRequested } from '#email/address-change-requested.ts';
import { addressChanged } from '#email/address-changed.ts';
import { addressRestored } from '#email/address-restored.ts';
import { addressTaken } from '#email/address-taken.ts';
import type { Addressee, Asked } from '#email/layout.ts';
import { loginLink } from '#email/login-link.ts';
import type { Message } from '#email/send.ts';
import { verifyEmail } from '#email/verify-email.ts';
import { typedAddress } from '#support/typed-texts.ts';

export const appOrigin = 'https://lectern.test';

/** The link of every email that has one. */
export const link = `${appOrigin}/confirm?token=a`;

/** Every email, by its file. */
export const mails: Record<string, (to: Addressee, asked: Asked) => Promise<Message>> = {
  'address-change-link': (to, asked) => addressChangeLink(to, link, asked),
  'address-change-requested': (to, asked) => addressChangeRequested(to, typedAddress, link, asked),
  'address-changed': (to) => addressChanged(to, typedAddress, link),
  'address-restored': (to) => addressRestored(to, typedAddress),
  'address-taken': (to) => addressTaken(to),
  'login-link': (to, asked) => loginLink(to, link, asked, '123456'),
  'verify-email': (to, asked) => verifyEmail(to, link, asked, '123456'),
};
