import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { jsonInput } from '#api/json-input.ts';
import { AppError } from '#lib/app-error.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { emailPaths } from '#paths.ts';
import { SubscriptionInput, SubscriptionState } from './schema.ts';
import { changeSubscription } from './subscription.ts';

/** /api/mail: what mail programs and their readers call, without a session. */
export const mail = new Hono<HonoEnv>()
  .get(
    '/unsubscribe/',
    describe({
      summary: msg`Leads to the page of an email’s link, and changes nothing`,
      answers: { 302: null },
      answerHeaders: { Location: msg`The page to continue to` },
      query: { u: 'text' },
    }),
    (c) => c.redirect(pageOf(c.req.query('u') ?? '')),
  )
  .post(
    '/unsubscribe/',
    describe({
      summary: msg`Ends the emails of a link with one click, as in RFC 8058: the form in the body is not read`,
      answers: { 200: null, 303: null },
      answerHeaders: { Location: msg`The page to continue to` },
      query: { u: 'text' },
      errors: ['unsubscribe_link_invalid'],
    }),
    async (c) => {
      const link = c.req.query('u') ?? '';
      const ctx = c.get('ctx');
      // A form of our page without scripts: its reader sees what has become of it, on that page.
      const isPage = new URLSearchParams(new TextDecoder().decode(await c.req.arrayBuffer())).has(
        'page',
      );
      try {
        await changeSubscription(ctx, { link, is_on: false });
      } catch (error) {
        if (!isPage) {
          throw error;
        }
        if (!(error instanceof AppError)) {
          ctx.observe.fail(error);
        }
        return c.redirect(`${pageOf(link)}&failed=1`, 303);
      }
      return isPage ? c.redirect(pageOf(link), 303) : c.body(null, 200);
    },
  )
  .post(
    '/subscription/',
    describe({
      summary: msg`Ends the emails of a link, or lets them come again`,
      answers: { 200: SubscriptionState },
      errors: ['unsubscribe_link_invalid'],
    }),
    jsonInput(SubscriptionInput),
    async (c) => c.json(await changeSubscription(c.get('ctx'), c.req.valid('json'))),
  );

function pageOf(link: string): string {
  return emailPaths.unsubscribe('', encodeURIComponent(link));
}
