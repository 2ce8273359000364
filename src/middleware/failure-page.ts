import 'server-only';
import serifUrl from '@fontsource/source-serif-4/files/source-serif-4-latin-600-normal.woff2?url';
import { msg } from '@lingui/core/macro';
import type { Context, Next } from 'hono';
import { getCookie } from 'hono/cookie';
import { html, raw } from 'hono/html';
import { pageUnread } from '#i18n/errors.ts';
import { i18nFor } from '#i18n/server.ts';
import { themeCookie, themeOf } from '#lib/browser-storage.ts';
import { logFailure } from '#observability/log.ts';
import { markOutline, markRules } from '#ui/brand.ts';
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
export async function failurePage(c: Context<HonoEnv>, next: Next) {
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
    const { headers, status } = c.res;
    const isMissing = tryCurrentRequest()?.isMissing ?? false;
    c.res = new Response(body, { headers, status: isMissing ? 404 : status });
  }
}

/**
 * The frame of styles/frame.css in a few lines: the style sheet belongs to the pages that the
 * failure is about. The font is used only if it is cached: one that came later would move the text.
 */
const style = `
@font-face { font-family: Book; src: url(${serifUrl}); font-display: optional; }
* { box-sizing: border-box; margin: 0; }
body { min-height: 100dvh; display: grid; background: light-dark(#faf7f1, #171614); color: light-dark(#23211d, #ece7dd); font: 1rem/1.5 system-ui, sans-serif; }
.name, .line, h1 { font-family: Book, Georgia, serif; font-weight: 600; }
.name { font-size: 1.25rem; line-height: 1.75rem; }
main { display: flex; flex-direction: column; align-items: start; width: min(100%, 29rem); min-width: 0; margin-inline: auto; padding: 1.25rem 1.5rem 2rem; }
h1 { margin: 2.25rem 0 0.5rem; font-size: 2rem; line-height: 1.25; letter-spacing: -0.018em; overflow-wrap: anywhere; }
p { margin-bottom: 2rem; color: light-dark(#625c52, #a9a194); }
main a { width: 100%; padding: 0.75rem; border-radius: 0.5rem; background: light-dark(#12515a, #7cc4ca); color: light-dark(#fff, #0b2327); font-weight: 600; text-align: center; text-decoration: none; }
main a:focus-visible { outline: 2px solid light-dark(#12515a, #7cc4ca); outline-offset: 2px; }
small { margin-top: auto; padding-top: 2.5rem; color: light-dark(#625c52, #a9a194); font-size: 0.875rem; overflow-wrap: anywhere; }
code { display: block; font: inherit; }
aside { display: none; }
@media (min-width: 64rem) {
body { grid-template-columns: 5fr 7fr; }
aside { display: grid; padding: 2.5rem 3.5rem 4rem 4.5rem; background: linear-gradient(90deg, #0000002e calc(1.5rem - 1px), #ffffff26 0 1.5rem, transparent 0) light-dark(#12515a, #0e3f46); color: #fbf4e6; }
aside > * { grid-area: 1 / 1; }
aside .name { font-size: 1.5rem; }
main .name { display: none; }
.line { align-self: end; margin: 0; color: inherit; font-size: 2.75rem; line-height: 3.25rem; letter-spacing: -0.022em; text-wrap: balance; }
svg { align-self: center; width: 15.25rem; margin-bottom: 3.25rem; fill: none; stroke: currentColor; stroke-width: 0.34; stroke-linecap: round; stroke-linejoin: round; }
path + path { opacity: 0.6; stroke-width: 0.2; }
main { padding-top: 25dvh; }
h1 { margin-top: 0; font-size: 2.25rem; }
}`;

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
${raw(style)}
</style>
</head>
<body>
<aside class="cover">
<span class="name">Lectern</span>
<svg viewBox="3.83 5.7 24.34 22.5" aria-hidden="true"><path d="${markOutline}"/><path d="${markRules}"/></svg>
<p class="line">${i18n._(msg`A calm place to build and run your courses.`)}</p>
</aside>
<main>
<span class="name">Lectern</span>
<h1>${i18n._(msg`Something went wrong`)}</h1>
<p>${i18n._(tryCurrentRequest()?.unread ?? pageUnread)}</p>
<a href="">${i18n._(msg`Try again`)}</a>
<small>${i18n._(msg`If this keeps happening, send us this reference:`)} <code>${c.get('requestId')}</code></small>
</main>
</body>
</html>`,
    500,
  );
}
