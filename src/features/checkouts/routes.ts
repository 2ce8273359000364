import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { done } from '#api/done.ts';
import { jsonInput } from '#api/json-input.ts';
import { idempotencyKey, idempotencyKeyHeader, knownParameter } from '#api/request.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import { readEvent } from '#features/stripe/read-event.ts';
import { AppError } from '#lib/app-error.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { checkAgain, letIn, settleProblem } from './decide.ts';
import { disconnectAccount } from './end-payments.ts';
import { handleEvent } from './handle-event.ts';
import { listCheckouts } from './list-checkouts.ts';
import { refundCheckout } from './refund-checkout.ts';
import { CheckoutPage, checkoutFilters, LetInInput, RefundAnswer, RefundInput } from './schema.ts';

/** /api/cohorts/{id}: the payments at Stripe of one of the caller's cohorts. */
export const checkoutsOfCohort = new Hono<HonoEnv>().get(
  '/:id/checkouts/',
  describe({
    summary: msg`The payments at Stripe of a cohort, the newest first: those that need a look, or all`,
    answers: { 200: CheckoutPage },
    query: { show: checkoutFilters, after: 'text' },
  }),
  requireViewer((request) => ({
    page: listCheckouts(
      request.param('id') ?? '',
      knownParameter(checkoutFilters, 'show', request.query('show') ?? 'problems'),
      request.query('after') ?? null,
    ),
  })),
  (c) => c.json(c.get('own').page, 200),
);

/** /api/checkouts: what the caller decides about payments at Stripe. */
export const checkoutRoutes = new Hono<HonoEnv>()
  .post(
    '/:id/let-in/',
    describe({
      summary: msg`Lets someone in whose payment came when their place had gone to someone else, at the price that was agreed`,
      answers: { 204: null },
      errors: ['cohort_full', 'cohort_over', 'not_found'],
    }),
    requireViewer(),
    jsonInput(LetInInput),
    (c) => done(c, letIn(c.get('viewerCtx'), c.req.param('id'), c.req.valid('json').over_capacity)),
  )
  .post(
    '/:id/refunds/',
    describe({
      summary: msg`Pays back what someone has paid at Stripe, or a part of it`,
      answers: { 202: RefundAnswer },
      errors: [
        'idempotency_key_reused',
        'more_than_paid',
        'not_found',
        'nothing_paid',
        'refund_refused',
      ],
      headers: [
        {
          ...idempotencyKeyHeader,
          description: msg`Any text that is new for each request; the same request sent again with the same key pays back nothing more`,
        },
      ],
    }),
    requireViewer(),
    jsonInput(RefundInput),
    async (c) =>
      c.json(
        await refundCheckout(
          c.get('viewerCtx'),
          c.req.param('id'),
          c.req.valid('json'),
          idempotencyKey(c),
        ),
        202,
      ),
  )
  .post(
    '/:id/check/',
    describe({
      summary: msg`Asks Stripe now what has become of a payment`,
      answers: { 204: null },
      errors: ['not_found', 'payment_unavailable'],
    }),
    requireViewer(),
    (c) => done(c, checkAgain(c.get('viewerCtx'), c.req.param('id'))),
  )
  .delete(
    '/:id/problem/',
    describe({
      summary: msg`Takes a payment off the list of those that need a look, as it was settled otherwise; not one that waits for a decision about a place`,
      answers: { 204: null },
      errors: ['not_found'],
    }),
    requireViewer(),
    (c) => done(c, settleProblem(c.get('viewerCtx'), c.req.param('id'))),
  );

/** /api/payment-account: ends what people pay by it, too. */
export const disconnecting = new Hono<HonoEnv>().delete(
  '/',
  describe({
    summary: msg`Takes no more payments by the caller’s account at Stripe, after a sign-in within the last 15 minutes. The account stays theirs`,
    answers: { 204: null },
    errors: ['not_found', 'proof_required'],
  }),
  requireViewer(),
  (c) => done(c, disconnectAccount(c.get('viewerCtx'))),
);

/** /api/webhooks: called by Stripe, with a signature instead of session and CSRF token. */
export const stripeWebhook = new Hono<HonoEnv>().post(
  '/stripe/',
  describe({
    summary: msg`Where Stripe reports what happens to payments, refunds, disputes and accounts. Each event is only a reason to ask Stripe`,
    answers: { 200: null },
    headers: [
      {
        name: 'stripe-signature',
        description: msg`Seconds since 1970, off by 5 minutes at most, and signatures over them and the body, as Stripe makes them`,
      },
    ],
    errors: ['not_found', 'payment_unavailable', 'signature_invalid'],
  }),
  async (c) => {
    const ctx = c.get('ctx');
    if (ctx.config.stripe === null) {
      throw new AppError('not_found');
    }
    try {
      const signature = c.req.header('stripe-signature') ?? '';
      await handleEvent(
        ctx,
        await readEvent(ctx, { body: await c.req.text(), signature }, ctx.now()),
      );
    } catch (error) {
      if (error instanceof AppError) {
        ctx.observe.log('webhook_refused', { reason: error.code });
      }
      throw error;
    }
    return c.body(null, 200);
  },
);
