import 'server-only';
import type { MessageDescriptor } from '@lingui/core';
import { setI18n } from '@lingui/react/server';
import { parse } from 'hono/utils/cookie';
import {
  unstable_getRscParams as getRscParams,
  unstable_getRscPath as getRscPath,
  unstable_redirect as redirect,
  unstable_notFound as showNotFound,
} from 'waku/router/server';
import { ask } from '#db/query.ts';
import type { Locale } from '#db/values.ts';
import { findCourses } from '#features/courses/list-courses.ts';
import type { Course } from '#features/courses/schema.ts';
import { sidebarCookie } from '#features/frames/sidebar-ids.ts';
import {
  findActor,
  type Viewer,
  type ViewerQueries,
  withViewer,
} from '#features/identity/find-actor.ts';
import { type LinkRows, linkQuery } from '#features/identity/find-link.ts';
import { pageUnread, viewerUnknown } from '#i18n/errors.ts';
import { AppError } from '#lib/app-error.ts';
import { themeCookie, themeOf } from '#lib/browser-storage.ts';
import { returnPathOf } from '#lib/return-path.ts';
import { isToken } from '#lib/tokens.ts';
import { currentRequest } from '#middleware/request-storage.ts';
import { paths } from './paths.ts';

/**
 * The first line of every public page: its request. Waku renders pages, layouts and root
 * separately, and each gets its own.
 */
export function pageRequest() {
  const { ctx, env, cookies, isForParticipants, nonce } = currentRequest();
  const { locale, i18n } = ctx.request;
  setI18n(i18n);
  // The preferences that the browser stores in cookies.
  const look = {
    theme: themeOf(parse(cookies, themeCookie)[themeCookie]),
    isSidebarOpen: parse(cookies, sidebarCookie)[sidebarCookie] !== 'false',
  };
  const { mailFrom, operatorName, sentryDsn, environment, release } = env;
  // The sender of our emails.
  const [, contact = ''] = /<(.+)>/.exec(mailFrom) ?? [];
  // Participants have not agreed to reports, which can contain what a page shows, and its address.
  const isReported = sentryDsn !== null && !isForParticipants;
  const reporting = isReported ? { dsn: sentryDsn, environment, release } : null;
  return { ctx, locale, i18n, look, reporting, contact, operatorName, nonce };
}

/**
 * The first line of every signed-in page: redirects to /login before anything is rendered, which
 * then leads back to it.
 *
 * @param viewerQueries for the viewer's data, run in the same trip to the database
 */
export async function requireUser<Answers = object>(viewerQueries = {} as ViewerQueries<Answers>) {
  const request = pageRequest();
  const actor = await currentActor(viewerQueries);
  return actor === null
    ? redirect(paths.loginFor(addressOfPage(), currentRequest().sessionToken !== null))
    : { ...request, ctx: withViewer(request.ctx, actor.viewer), answers: actor.answers };
}

type CourseList = { courses: Course[]; hasMore: boolean };

/**
 * The first line of every page in the shell: redirects users without a course to create one. The
 * others get some of their courses, and the selected one.
 */
export async function requireCourse<Answers = object>(
  viewerQueries = {} as ViewerQueries<Answers>,
) {
  // It has the names of both.
  const all = { ...viewerQueries, courseList: findCourses } as ViewerQueries<
    Answers & { courseList: CourseList }
  >;
  const request = await requireUser(all);
  const { courses, hasMore }: CourseList = request.answers.courseList;
  const course = courses.find(({ is_selected: isSelected }) => isSelected) ?? courses[0];
  if (course === undefined) {
    redirect(paths.firstCourse);
  }
  const answers: Answers = request.answers;
  return { ...request, answers, courses, hasMoreCourses: hasMore, course };
}

/** Leads from a page that changes a cohort to its overview, which can take it out of the trash. */
export function redirectFromTrash(cohort: { id: string; deleted_at: string | null }): void {
  if (cohort.deleted_at !== null) {
    redirect(paths.cohort(cohort.id));
  }
}

/** Leads to the page of an emailed link in the language of its reader, unless another is chosen. */
export function readIn(language: Locale, query: string, address: `/p/${string}`): void {
  const { locale } = currentRequest().ctx.request;
  if (!new URLSearchParams(query).has('lang') && language !== locale) {
    redirect(`${address}lang=${language}`);
  }
}

/** The first line of every page of learners, which nothing but their cookie lets in. */
export function learnerRequest() {
  return { ...pageRequest(), device: currentRequest().learnerDevice };
}

/** Lets caches keep a public page (see cohort-pages.ts); shows the 404 page without its item. */
export function cacheableOr404<Item>(item: Item | null): Item {
  const existing = item ?? showNotFound();
  currentRequest().isCacheable = true;
  return existing;
}

/**
 * The first line of pages for signed-out users: redirects the others to the page that they are to
 * return to, or home.
 *
 * @param query of the page, whose parameter `next` is checked here
 */
export async function requireNobody(query = '') {
  const request = pageRequest();
  const next = new URLSearchParams(query).get('next');
  const returnPath = returnPathOf(next, request.ctx.config.appOrigin);
  if ((await currentActor({})) !== null) {
    // Waku's type lists our pages; `returnPathOf` accepts no others.
    redirect((returnPath ?? paths.home) as typeof paths.home);
  }
  return { ...request, returnPath };
}

/**
 * For pages that emails link to: looks up the viewer and the link.
 *
 * @param token the unchecked token of the URL
 * @param rowsOf see `linkQuery`
 */
export async function requireLink<Row>(
  token: string,
  rowsOf: LinkRows<Row>,
): Promise<{ viewer: Viewer | null; link: Row | null }> {
  const queries = { link: await linkQuery(token, rowsOf) };
  const actor = await currentActor(queries);
  if (actor !== null) {
    return { viewer: actor.viewer, link: actor.answers.link };
  }
  if (!isToken(token)) {
    return { viewer: null, link: null };
  }
  const { ctx } = currentRequest();
  const { link } = await pageData(ask(ctx, { link: queries.link(ctx) }));
  return { viewer: null, link };
}

/** The path and query of the page that is rendered, as a document or as a payload. */
function addressOfPage(): string {
  // Waku's names: `R/settings`, and `R/_root` for the home page.
  const [, path = paths.home] = /^R(\/(?!_root$).*)$/.exec(getRscPath() ?? '') ?? [];
  const parameters = getRscParams();
  const query = parameters instanceof URLSearchParams ? parameters.get('query') : null;
  return query ? `${path}?${query}` : path;
}

function currentActor<Answers>(queries: ViewerQueries<Answers>) {
  const { ctx, sessionToken } = currentRequest();
  return pageData(findActor(ctx, sessionToken, queries), viewerUnknown);
}

/**
 * Wraps every read of a page. A failure is logged and reported here, without bound values, and
 * hidden from Waku; failure-page.ts shows `unread` with the request id.
 */
export async function pageData<Data>(
  read: Promise<Data>,
  unread: MessageDescriptor = pageUnread,
): Promise<Data> {
  try {
    return await read;
  } catch (error) {
    const current = currentRequest();
    current.ctx.observe.fail(error);
    current.unread = unread;
    // Waku logs rendering errors to the console; the digest marks this one as already reported.
    throw Object.assign(new AppError('unavailable'), { digest: current.requestId });
  }
}
