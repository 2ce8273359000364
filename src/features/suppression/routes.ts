import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { AppError } from '#lib/app-error.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { readWebhook } from './read-webhook.ts';
import { suppressAddresses } from './suppress-addresses.ts';

/** /api/webhooks: called by other services, with a signature instead of session and CSRF token. */
export const webhooks = new Hono<HonoEnv>().post(
  '/resend/',
  describe({
    summary: msg`Where Resend reports emails that bounced or were marked as spam; other events change nothing`,
    answers: { 200: null },
    headers: [
      { name: 'svix-id', description: msg`The same for each delivery of one event` },
      { name: 'svix-timestamp', description: msg`Seconds since 1970, off by 5 minutes at most` },
      {
        name: 'svix-signature',
        description: msg`One or more signatures over id, timestamp and body, as Resend makes them`,
      },
    ],
    errors: ['signature_invalid'],
  }),
  async (c) => {
    const ctx = c.get('ctx');
    const id = c.req.header('svix-id') ?? '';
    const request = {
      body: await c.req.text(),
      id,
      timestamp: c.req.header('svix-timestamp') ?? '',
      signature: c.req.header('svix-signature') ?? '',
    };
    try {
      const event = await readWebhook(c.get('env'), request);
      if (event !== null) {
        await suppressAddresses(ctx, { provider: 'resend', id }, event);
      }
    } catch (error) {
      if (error instanceof AppError) {
        ctx.observe.log('webhook_refused', { reason: error.code });
      }
      throw error;
    }
    return c.body(null, 200);
  },
);
