import 'server-only';
import { msg } from '@lingui/core/macro';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { html } from 'hono/html';
import { themeCookie, themeOf } from '#features/theme/theme.ts';
import { pageUnread } from '#i18n/errors.ts';
import { i18nFor } from '#i18n/server.ts';
import { logFailure } from '#observability/log.ts';
import { languageOf } from './language.ts';
import { plainAnswer } from './plain-answer.ts';
import { fail, type HonoEnv } from './request-context.ts';
import { tryCurrentRequest } from './request-storage.ts';

/**
 * Answers with an error page when a page could not be rendered; Waku's answer would be empty.
 *
 * Pages are buffered: none can send anything before its data has arrived, and workerd leaks every
 * stream that is not read to its end, such as after a disconnect, or for a HEAD.
 */
export function failurePage() {
  return createMiddleware<HonoEnv>(async function failurePage(c, next) {
    await next();
    const body = await c.res.arrayBuffer();
    // The path as Waku reads it; Hono would decode it.
    if (new URL(c.req.url).pathname.startsWith('/RSC/')) {
      // With an error status, our router keeps the current page.
      c.res =
        tryCurrentRequest()?.unread === undefined
          ? new Response(body, c.res)
          : plainAnswer(c, 503, 'Service Unavailable');
      return;
    }
    const isHtml = c.res.headers.get('Content-Type')?.startsWith('text/html') ?? false;
    if (c.res.status >= 500 && isHtml) {
      // The cause has already been logged; see page-request.ts and log-console.ts.
      logFailure(c.get('requestId'), new Error(`The page ${c.req.path} could not be rendered`));
      c.res = await renderFailure(c);
    } else if (c.res.status >= 300 && c.res.status < 400) {
      // Waku puts React's error message into the body of a redirect.
      c.res = new Response(null, c.res);
    } else {
      c.res = new Response(body, c.res);
    }
  });
}

/** The worker's error handler outside /api, which has its own. */
export function answerFailure(error: unknown, c: Context<HonoEnv>): Promise<Response> {
  fail(c, error);
  return renderFailure(c);
}

async function renderFailure(c: Context<HonoEnv>): Promise<Response> {
  const locale = languageOf(c);
  const i18n = i18nFor(locale);
  const nonce = c.get('secureHeadersNonce');
  return c.html(
    html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<title>${i18n._(msg`Something went wrong`)} · Lectern</title>
<style nonce="${nonce}">
:root { color-scheme: ${themeOf(getCookie(c, themeCookie)) ?? 'light dark'}; }
body { margin: 0; min-height: 100dvh; display: grid; place-content: center; padding: 1.5rem; box-sizing: border-box; background: light-dark(#faf7f1, #171614); color: light-dark(#23211d, #ece7dd); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 28rem; }
h1 { margin: 0 0 0.5rem; font: 600 2rem/1.2 Georgia, serif; }
a { color: light-dark(#12515a, #7cc4ca); }
small { color: light-dark(#625c52, #a9a194); overflow-wrap: anywhere; }
</style>
</head>
<body>
<main>
<h1>${i18n._(msg`Something went wrong`)}</h1>
<p>${i18n._(tryCurrentRequest()?.unread ?? pageUnread)}</p>
<p><a href="">${i18n._(msg`Try again`)}</a></p>
<small>${i18n._(msg`If this keeps happening, send us this reference:`)} ${c.get('requestId')}</small>
</main>
</body>
</html>`,
    500,
  );
}
