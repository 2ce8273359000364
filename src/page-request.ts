import 'server-only';
import type { I18n, MessageDescriptor } from '@lingui/core';
import { setI18n } from '@lingui/react/server';
import { parse } from 'hono/utils/cookie';
import { unstable_redirect as redirect } from 'waku/router/server';
import { ask } from '#db/query.ts';
import type { Locale } from '#db/values.ts';
import {
  type Actor,
  findActor,
  type OwnQueries,
  type Viewer,
  type ViewerContext,
} from '#features/auth/find-actor.ts';
import { type LinkRows, linkQuery } from '#features/auth/find-link.ts';
import { listCourses } from '#features/courses/list-courses.ts';
import type { Course } from '#features/courses/schema.ts';
import type { ReportSettings } from '#features/error-reports/start-sentry.ts';
import { sidebarCookie } from '#features/shell/sidebar-state.ts';
import { type Theme, themeCookie, themeOf } from '#features/theme/theme.ts';
import { pageUnread, viewerUnknown } from '#i18n/errors.ts';
import { i18nFor } from '#i18n/server.ts';
import { AppError } from '#lib/app-error.ts';
import { isToken } from '#lib/tokens.ts';
import { currentRequest } from '#middleware/request-storage.ts';
import type { Context } from './context.ts';
import { paths } from './paths.ts';

/** What a page may ask of the request that it answers. Waku renders pages, layouts and root apart: each asks for itself. */
type PageRequest = {
  ctx: Context;
  locale: Locale;
  i18n: I18n;
  /** What the browser has kept of how the app is to look. */
  look: { theme: Theme | null; isSidebarOpen: boolean };
  /** What a browser needs to report errors; null where none are reported. */
  reporting: ReportSettings | null;
  /** Where people can write to: the address that our mails come from. */
  contact: string;
};

/** The first line of every public page. */
export function pageRequest(): PageRequest {
  const { ctx, env, cookies } = currentRequest();
  const { locale } = ctx.request;
  const i18n = i18nFor(locale);
  setI18n(i18n);
  const look = {
    theme: themeOf(parse(cookies, themeCookie)[themeCookie]),
    isSidebarOpen: parse(cookies, sidebarCookie)[sidebarCookie] !== 'false',
  };
  const { mailFrom, sentryDsn, environment, release } = env;
  const [, contact = ''] = /<(.+)>/.exec(mailFrom) ?? [];
  const reporting = sentryDsn === null ? null : { dsn: sentryDsn, environment, release };
  return { ctx, locale, i18n, look, reporting, contact };
}

/** What a signed-in page has: a viewer, and the answers of what it reads of theirs, by name. */
type UserRequest<Answers> = PageRequest & { ctx: ViewerContext; answers: Answers };

/**
 * The first line of every signed-in page: whoever is not signed in goes to /login and gets nothing of the page.
 *
 * @param own what the page shows of theirs, read in the same trip to the database
 */
export async function requireUser<Answers = object>(
  own = {} as OwnQueries<Answers>,
): Promise<UserRequest<Answers>> {
  const request = pageRequest();
  const actor = await currentActor(own);
  if (actor.kind !== 'instructor') {
    redirect(paths.login);
  }
  const { viewer, answers } = actor;
  return { ...request, ctx: { ...request.ctx, viewer }, answers };
}

/** What a page in the shell has besides: all courses, of which there is at least one, and the selected one. */
type CourseRequest<Answers> = UserRequest<Answers> & { courses: Course[]; course: Course };

/** The first line of every page in the shell: besides, whoever has no course yet goes to make the first. */
export async function requireCourse<Answers = object>(
  own = {} as OwnQueries<Answers>,
): Promise<CourseRequest<Answers>> {
  // The names are those of both.
  const all = { ...own, courses: listCourses } as OwnQueries<Answers & { courses: Course[] }>;
  const request = await requireUser(all);
  const courses: Course[] = request.answers.courses;
  const course = courses.find(({ is_selected: isSelected }) => isSelected) ?? courses[0];
  if (course === undefined) {
    redirect(paths.firstCourse);
  }
  return { ...request, courses, course };
}

/** The first line of pages that make no sense to somebody who is signed in: they go home. */
export async function requireNobody(): Promise<PageRequest> {
  const request = pageRequest();
  if ((await currentActor({})).kind === 'instructor') {
    redirect(paths.home);
  }
  return request;
}

/**
 * For pages that a mailed link leads to: who is signed in, and what the link would do.
 *
 * @param token what the address carried, of any shape
 * @param rowsOf see `linkQuery`
 */
export async function requireLink<Row>(
  token: string,
  rowsOf: LinkRows<Row>,
): Promise<{ viewer: Viewer | null; link: Row | null }> {
  const own = { link: await linkQuery(token, rowsOf) };
  const actor = await currentActor(own);
  if (actor.kind === 'instructor') {
    return { viewer: actor.viewer, link: actor.answers.link };
  }
  if (!isToken(token)) {
    return { viewer: null, link: null };
  }
  const { ctx } = currentRequest();
  const { found } = await pageData(ask(ctx, { found: own.link(ctx) }));
  return { viewer: null, link: found() };
}

/** Who the page acts for, and the answers of what is read of theirs; nobody if nobody is signed in. */
function currentActor<Answers>(own: OwnQueries<Answers>): Promise<Actor<Answers>> {
  const { ctx, sessionToken } = currentRequest();
  return pageData(findActor(ctx, sessionToken, own), viewerUnknown);
}

/**
 * Around every read of a page. A failure is told to the reader by `unread` (see middleware/failure-page.ts), and is logged and reported
 * here, with the request id that people are shown and without bound values; Waku gets to see nothing of it.
 */
async function pageData<Data>(
  read: Promise<Data>,
  unread: MessageDescriptor = pageUnread,
): Promise<Data> {
  try {
    return await read;
  } catch (error) {
    const current = currentRequest();
    current.ctx.observe.fail(error);
    current.unread = unread;
    // Waku writes down what breaks a page, in lines of its own. What has a digest is known already.
    throw Object.assign(new AppError('unavailable'), { digest: current.requestId });
  }
}
