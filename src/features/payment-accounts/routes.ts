import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { done } from '#api/done.ts';
import { jsonInput } from '#api/json-input.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { checkAccount, connectAccount } from './connect-account.ts';
import { findPaymentAccount } from './find-account.ts';
import { AccountInput, AccountLink, PaymentAccount } from './schema.ts';

/** /api/payment-account: the caller's account at Stripe, to which their participants pay. */
export const paymentAccountRoutes = new Hono<HonoEnv>()
  .get(
    '/',
    describe({
      summary: msg`The caller’s account at Stripe, and what Stripe still needs`,
      answers: { 200: PaymentAccount },
    }),
    requireViewer(() => ({ account: findPaymentAccount })),
    (c) => c.json(c.get('own').account, 200),
  )
  .post(
    '/',
    describe({
      summary: msg`Connects an account at Stripe, or continues where it stopped, after a sign-in within the last 15 minutes`,
      answers: { 200: AccountLink, 201: AccountLink },
      errors: ['country_refused', 'not_found', 'payment_unavailable', 'proof_required'],
    }),
    requireViewer(),
    jsonInput(AccountInput),
    async (c) => {
      const { isNew, ...link } = await connectAccount(c.get('viewerCtx'), c.req.valid('json'));
      return isNew ? c.json(link, 201) : c.json(link, 200);
    },
  )
  .post(
    '/check/',
    describe({
      summary: msg`Asks Stripe how the caller’s account is now`,
      answers: { 204: null },
      errors: ['payment_unavailable'],
    }),
    requireViewer(),
    (c) => done(c, checkAccount(c.get('viewerCtx'))),
  );
