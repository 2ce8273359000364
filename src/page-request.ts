import 'server-only';
import type { I18n, Messages } from '@lingui/core';
import { setI18n } from '@lingui/react/server';
import { getContext } from 'hono/context-storage';
import { unstable_redirect as redirect } from 'waku/router/server';
import type { Context } from '#context.ts';
import type { Locale } from '#db/values.ts';
import { findViewer, type Viewer, type ViewerContext } from '#features/auth/find-viewer.ts';
import { i18nFor, messagesFor, type Namespace } from '#i18n/server.ts';
import { AppError } from '#lib/app-error.ts';
import { logFailure } from '#lib/log.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { paths } from '#paths.ts';

/** What a page may ask of the request that it answers. Waku renders pages, layouts and root apart: each asks for itself. */
type PageRequest = {
  ctx: Context;
  locale: Locale;
  i18n: I18n;
  /** For the page's islands: the texts of these namespaces, and the language they are in. */
  texts: (...namespaces: Namespace[]) => { locale: Locale; messages: Messages };
};

/** The first line of every public page. */
export function pageRequest(): PageRequest {
  const ctx = getContext<HonoEnv>().get('ctx');
  const { locale } = ctx;
  const i18n = i18nFor(locale);
  setI18n(i18n);
  return {
    ctx,
    locale,
    i18n,
    texts: (...namespaces) => ({ locale, messages: messagesFor(locale, namespaces) }),
  };
}

/** The first line of every signed-in page: whoever is not signed in goes to /login and gets nothing of the page. */
export async function requireUser(): Promise<PageRequest & { ctx: ViewerContext }> {
  const request = pageRequest();
  const viewer = await currentViewer();
  if (viewer === null) {
    redirect(paths.login);
  }
  return { ...request, ctx: { ...request.ctx, viewer } };
}

/** The first line of pages that make no sense to somebody who is signed in: they go home. */
export async function requireNobody(): Promise<PageRequest> {
  const request = pageRequest();
  if ((await currentViewer()) !== null) {
    redirect(paths.home);
  }
  return request;
}

/** Who the request comes from, or null. */
export function currentViewer(): Promise<Viewer | null> {
  const c = getContext<HonoEnv>();
  return pageData(findViewer(c.get('ctx'), c.get('sessionToken')));
}

/**
 * Around every read of a page. A failure is logged here, with the request id that people are shown and without bound values;
 * Waku, which logs whatever breaks a page, gets to see nothing of it.
 */
export async function pageData<Data>(read: Promise<Data>): Promise<Data> {
  try {
    return await read;
  } catch (error) {
    logFailure(getContext<HonoEnv>().get('requestId'), error);
    throw new AppError('unavailable');
  }
}
