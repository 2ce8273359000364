import 'server-only';
import type { I18n, MessageDescriptor } from '@lingui/core';
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
import type { ReportSettings } from '#features/error-reports/start-sentry.ts';
import { sidebarCookie } from '#features/frames/sidebar-ids.ts';
import {
  type Actor,
  findActor,
  type Viewer,
  type ViewerContext,
  type ViewerQueries,
  withViewer,
} from '#features/identity/find-actor.ts';
import { type LinkRows, linkQuery } from '#features/identity/find-link.ts';
import { pageUnread, viewerUnknown } from '#i18n/errors.ts';
import { AppError } from '#lib/app-error.ts';
import { type Theme, themeCookie, themeOf } from '#lib/browser-storage.ts';
import { returnPathOf } from '#lib/return-path.ts';
import { isToken } from '#lib/tokens.ts';
import { currentRequest } from '#middleware/request-storage.ts';
import type { Context } from './context.ts';
import { paths } from './paths.ts';

/** The request, for a page. Waku renders pages, layouts and root separately: each gets its own. */
type PageRequest = {
  ctx: Context;
  locale: Locale;
  i18n: I18n;
  /** The preferences that the browser stores in cookies. */
  look: { theme: Theme | null; isSidebarOpen: boolean };
  /** The settings and user for the browser's error reports; null where error reporting is off. */
  reporting: ReportSettings | null;
  /** The contact address: the sender of our emails. */
  contact: string;
  /** Who runs this deployment. */
  operatorName: string;
  /** That of the response's policy, for inline scripts. */
  nonce: string | undefined;
};

/** The first line of every public page. */
export function pageRequest(): PageRequest {
  const { ctx, env, cookies, isForParticipants, nonce } = currentRequest();
  const { locale, i18n } = ctx.request;
  setI18n(i18n);
  const look = {
    theme: themeOf(parse(cookies, themeCookie)[themeCookie]),
    isSidebarOpen: parse(cookies, sidebarCookie)[sidebarCookie] !== 'false',
  };
  const { mailFrom, operatorName, sentryDsn, environment, release } = env;
  const [, contact = ''] = /<(.+)>/.exec(mailFrom) ?? [];
  // Participants have not agreed to reports, which can contain what a page shows, and its address.
  const isReported = sentryDsn !== null && !isForParticipants;
  const reporting = isReported ? { dsn: sentryDsn, environment, release } : null;
  return { ctx, locale, i18n, look, reporting, contact, operatorName, nonce };
}

/** The request of a signed-in page: with the viewer, and the results of its queries by name. */
type UserRequest<Answers> = PageRequest & { ctx: ViewerContext; answers: Answers };

/**
 * The first line of every signed-in page: redirects to /login before anything is rendered, which
 * then leads back to it.
 *
 * @param viewerQueries for the viewer's data, run in the same trip to the database
 */
export async function requireUser<Answers = object>(
  viewerQueries = {} as ViewerQueries<Answers>,
): Promise<UserRequest<Answers>> {
  const request = pageRequest();
  const actor = await currentActor(viewerQueries);
  switch (actor.kind) {
    case 'instructor':
      return { ...request, ctx: withViewer(request.ctx, actor.viewer), answers: actor.answers };
    case 'nobody':
      return redirect(paths.loginFor(addressOfPage(), currentRequest().sessionToken !== null));
  }
}

/** The request of a page in the shell: with some courses, at least one, and the selected one. */
type CourseRequest<Answers> = UserRequest<Answers> & {
  courses: Course[];
  hasMoreCourses: boolean;
  course: Course;
};

type CourseList = { courses: Course[]; hasMore: boolean };

/** The first line of every page in the shell: redirects users without a course to create one. */
export async function requireCourse<Answers = object>(
  viewerQueries = {} as ViewerQueries<Answers>,
): Promise<CourseRequest<Answers>> {
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
  return { ...request, courses, hasMoreCourses: hasMore, course };
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

/** Lets caches keep a public page (see cohort-pages.ts); shows the 404 page without its item. */
export function cacheableOr404<Item>(item: Item | null): Item {
  const existing = item ?? showNotFound();
  currentRequest().isCacheable = true;
  return existing;
}

/** The request of a page for signed-out users, with the page to return to after signing in. */
type VisitorRequest = PageRequest & { returnPath: string | null };

/**
 * The first line of pages for signed-out users: redirects the others to the page that they are to
 * return to, or home.
 *
 * @param query of the page, whose parameter `next` is checked here
 */
export async function requireNobody(query = ''): Promise<VisitorRequest> {
  const request = pageRequest();
  const next = new URLSearchParams(query).get('next');
  const returnPath = returnPathOf(next, request.ctx.config.appOrigin);
  const actor = await currentActor({});
  switch (actor.kind) {
    case 'instructor':
      // Waku's type lists our pages; `returnPathOf` accepts no others.
      return redirect((returnPath ?? paths.home) as typeof paths.home);
    case 'nobody':
      return { ...request, returnPath };
  }
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
  switch (actor.kind) {
    case 'instructor':
      return { viewer: actor.viewer, link: actor.answers.link };
    case 'nobody': {
      if (!isToken(token)) {
        return { viewer: null, link: null };
      }
      const { ctx } = currentRequest();
      const { link } = await pageData(ask(ctx, { link: queries.link(ctx) }));
      return { viewer: null, link };
    }
  }
}

/** The path and query of the page that is rendered, as a document or as a payload. */
function addressOfPage(): string {
  // Waku's names: `R/settings`, and `R/_root` for the home page.
  const [, path = paths.home] = /^R(\/(?!_root$).*)$/.exec(getRscPath() ?? '') ?? [];
  const parameters = getRscParams();
  const query = parameters instanceof URLSearchParams ? parameters.get('query') : null;
  return query ? `${path}?${query}` : path;
}

function currentActor<Answers>(queries: ViewerQueries<Answers>): Promise<Actor<Answers>> {
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
