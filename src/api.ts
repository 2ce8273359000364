import 'server-only';
import { HonoBase } from 'hono/hono-base';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { TrieRouter } from 'hono/router/trie-router';
import { attendanceRoutes } from '#features/attendance/routes.ts';
import { calendarFeedRoutes } from '#features/calendar/routes.ts';
import {
  checkoutRoutes,
  checkoutsOfCohort,
  disconnecting,
  stripeWebhook,
} from '#features/checkouts/routes.ts';
import { courseChoiceRoutes } from '#features/cohorts/routes.ts';
import { contentImportRoutes } from '#features/content-files/routes.ts';
import { courseRoutes } from '#features/courses/routes.ts';
import { emails } from '#features/emails/routes.ts';
import { publicRoutes } from '#features/enrolling/routes.ts';
import { errorReports } from '#features/error-reports/routes.ts';
import { photoRoutes, pictureRoutes } from '#features/files/picture-routes.ts';
import { fileRoutes } from '#features/files/routes.ts';
import { google } from '#features/identity/google-routes.ts';
import { accounts, auth, sessionRoutes } from '#features/identity/routes.ts';
import { learningOfCohort } from '#features/learning/cohort-routes.ts';
import { learningRoutes, opening } from '#features/learning/routes.ts';
import { ledger, paymentsOfCohort, paymentsOfCourse } from '#features/ledger/routes.ts';
import {
  contentRoutes,
  lessonRoutes,
  openingRoutes,
  sectionRoutes,
} from '#features/lessons/routes.ts';
import { rosterFiles } from '#features/lists/routes.ts';
import { meetingRoutes } from '#features/meetings/routes.ts';
import { messages } from '#features/messages/routes.ts';
import { participation } from '#features/participant/routes.ts';
import { paymentAccountRoutes } from '#features/payment-accounts/routes.ts';
import { cohortRoutes, courseCohortRoutes } from '#features/planning/routes.ts';
import { rightsOfParticipants } from '#features/rights/routes.ts';
import { peopleOfCohort, peopleRoutes } from '#features/roster/routes.ts';
import { enrollmentOfCourse } from '#features/self-paced/routes.ts';
import { webhooks } from '#features/suppression/routes.ts';
import { mail } from '#features/unsubscribing/routes.ts';
import { AppError } from '#lib/app-error.ts';
import { csrfGuard } from '#middleware/csrf.ts';
import { jsonBodies } from '#middleware/json-bodies.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { pathOf } from '#middleware/size-limits.ts';
import { answerError, onError } from './api/errors.ts';
import { health } from './api/health.ts';
import { schemaOf } from './api/schema.ts';
import { commonMiddleware } from './common-middleware.ts';

/**
 * Everything under /api: thin routes over the verbs in features/. A separate Hono app, because
 * Waku's router, from `hono/tiny`, treats paths with and without a trailing slash as the same.
 * Mounted apps are matched by this router, not by their own.
 */
export const api = new HonoBase<HonoEnv>({ router: new TrieRouter(), getPath: pathOf }).basePath(
  '/api',
);

api.onError(onError);
api.use(
  ...commonMiddleware('data'),
  methodNotAllowed({
    app: api,
    onMethodNotAllowed: (c, methods) => {
      c.header('Allow', methods.join(', '));
      return answerError(c, new AppError('method_not_allowed'));
    },
  }),
  csrfGuard,
  jsonBodies,
);
const routes = api
  // First: its path has no id.
  .route('/accounts/photo/', photoRoutes)
  .route('/accounts/', accounts)
  .route('/accounts/auth/', auth)
  .route('/accounts/auth/google/', google)
  .route('/accounts/auth/sessions/', sessionRoutes)
  .route('/calendar-feed/', calendarFeedRoutes)
  .route('/cohorts/', attendanceRoutes)
  .route('/checkouts/', checkoutRoutes)
  .route('/cohorts/', checkoutsOfCohort)
  .route('/cohorts/', cohortRoutes)
  .route('/cohorts/', emails)
  .route('/cohorts/', learningOfCohort)
  .route('/cohorts/', meetingRoutes)
  .route('/cohorts/', messages)
  .route('/cohorts/', openingRoutes)
  .route('/cohorts/', peopleOfCohort)
  .route('/cohorts/', rosterFiles)
  .route('/cohorts/', paymentsOfCohort)
  .route('/courses/', contentImportRoutes)
  .route('/courses/', contentRoutes)
  .route('/courses/', courseChoiceRoutes)
  .route('/courses/', courseRoutes)
  .route('/courses/', courseCohortRoutes)
  .route('/courses/', enrollmentOfCourse)
  .route('/courses/', fileRoutes)
  .route('/courses/', paymentsOfCourse)
  .route('/courses/', pictureRoutes)
  .route('/error-reports/', errorReports)
  .route('/health/', health)
  .route('/learning/', learningRoutes)
  .route('/ledger/', ledger)
  .route('/lessons/', lessonRoutes)
  .route('/mail/', mail)
  .route('/participation/', opening)
  .route('/participation/', participation)
  .route('/participation/', rightsOfParticipants)
  .route('/payment-account/', paymentAccountRoutes)
  .route('/payment-account/', disconnecting)
  .route('/people/', peopleRoutes)
  .route('/public/', publicRoutes)
  .route('/sections/', sectionRoutes)
  .route('/webhooks/', stripeWebhook)
  .route('/webhooks/', webhooks);
// Last, because it describes all routes above.
api.route('/schema/', schemaOf(api));
// Waku would answer unknown paths with HTML. Not thrown, so that other methods become a 405.
api.all('*', (c) => answerError(c, new AppError('not_found')));

/** The types of the browser's API calls: see src/client/api-routes.ts. */
export type Routes = typeof routes;
