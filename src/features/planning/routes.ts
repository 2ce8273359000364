import 'server-only';
import { msg } from '@lingui/core/macro';
import type { HonoRequest } from 'hono';
import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { describe } from '#api/describe.ts';
import { jsonInput } from '#api/json-input.ts';
import { idempotencyKey, idempotencyKeyHeader, knownParameter, noContent } from '#api/request.ts';
import { findCohortRow, findDatedRow, toCohortOrRun } from '#features/cohorts/get-cohort.ts';
import {
  ArchiveInput,
  Cohort,
  CohortOrRun,
  CohortPatch,
  cohortLists,
  DatesPreview,
  DuplicateInput,
  MoneyInput,
  MoveInput,
  TrashInput,
} from '#features/cohorts/schema.ts';
import { requireOwnCourse } from '#features/courses/list-courses.ts';
import { orNotFound } from '#features/identity/find-actor.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import { findDatedOpenings } from '#features/lessons/move-openings.ts';
import { findMovableMeetings } from '#features/meetings/movable-meetings.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { changeCohort } from './change-cohort.ts';
import {
  archiveCohort,
  publishCohort,
  purgeCohort,
  restoreCohort,
  trashCohort,
  unarchiveCohort,
  unpublishCohort,
} from './change-state.ts';
import { courseNameOf, createCohort } from './create-cohort.ts';
import { decideMoney } from './decide-money.ts';
import { duplicateCohort, previewDuplicate } from './duplicate-cohort.ts';
import { moveCohort } from './move-cohort.ts';
import { findOwnCohort, listCohorts } from './own-cohorts.ts';
import { NewCohortInput } from './schema.ts';

const keyHeader = {
  ...idempotencyKeyHeader,
  description: msg`Any text that is new for each cohort; the same request sent again with the same key creates only one cohort. With another body it is refused as long as that cohort is unchanged`,
};

/** Reads the cohort of the path, in the trip that looks up its owner. */
const readCohort = (request: HonoRequest) => ({
  cohort: findCohortRow(request.param('id') ?? ''),
});

const readWithMeetings = (request: HonoRequest) => ({
  cohort: findDatedRow(request.param('id') ?? ''),
  meetings: findMovableMeetings(request.param('id') ?? ''),
});

const readWithDates = (request: HonoRequest) => ({
  ...readWithMeetings(request),
  openings: findDatedOpenings(request.param('id') ?? ''),
});

/** /api/courses/{id}/cohorts: the cohorts of one of the caller's courses. */
export const courseCohortRoutes = new Hono<HonoEnv>()
  .get(
    '/:id/cohorts/',
    describe({
      summary: msg`The cohorts of a course: those in use or archived by their first day, or the trash with the last one first`,
      answers: { 200: z.array(Cohort) },
      query: { state: cohortLists },
    }),
    requireViewer((request) => ({
      course: requireOwnCourse(request.param('id') ?? ''),
      cohorts: listCohorts(
        request.param('id') ?? '',
        knownParameter(cohortLists, 'state', request.query('state') ?? 'current'),
      ),
    })),
    (c) => c.json(c.get('own').cohorts),
  )
  .post(
    '/:id/cohorts/',
    describe({
      summary: msg`Creates a cohort of a course, as a draft, with its live sessions and days off`,
      answers: { 201: Cohort },
      errors: [
        'course_is_evergreen',
        'too_many_cohorts',
        'idempotency_key_reused',
        'payment_account_required',
        'price_not_payable',
        'price_required',
      ],
      headers: [keyHeader],
    }),
    requireViewer((request) => ({ course: requireOwnCourse(request.param('id') ?? '') })),
    jsonInput(NewCohortInput),
    async (c) => {
      const [ctx, key] = [c.get('viewerCtx'), idempotencyKey(c)];
      return c.json(await createCohort(ctx, c.get('own').course, c.req.valid('json'), key), 201);
    },
  );

/** /api/cohorts: the caller's own cohorts. */
export const cohortRoutes = new Hono<HonoEnv>()
  .get(
    '/:id/',
    describe({
      summary: msg`One of the caller’s cohorts, or the open run of an evergreen course, which has no dates`,
      answers: { 200: CohortOrRun },
    }),
    requireViewer(readCohort),
    (c) => c.json(toCohortOrRun(c.get('viewerCtx'), c.get('own').cohort)),
  )
  .patch(
    '/:id/',
    describe({
      summary: msg`Changes what is named of a cohort; a published one gets other days and another time zone by a move. An open run has no name of its own, dates, early price, minimum or place`,
      answers: { 200: CohortOrRun },
      errors: [
        'cohort_in_trash',
        'course_is_cohort',
        'course_self_paced',
        'currency_in_use',
        'payment_account_required',
        'price_not_payable',
        'price_required',
        'use_move',
      ],
    }),
    requireViewer(readCohort),
    jsonInput(CohortPatch),
    async (c) =>
      c.json(await changeCohort(c.get('viewerCtx'), c.get('own').cohort, c.req.valid('json'))),
  )
  .delete(
    '/:id/',
    describe({
      summary: msg`Moves a cohort to the trash, from where it is deleted after 30 days`,
      answers: { 204: null },
      errors: ['too_many_notices', 'course_self_paced'],
    }),
    requireViewer(readCohort),
    jsonInput(TrashInput),
    (c) => noContent(c, trashCohort(c.get('viewerCtx'), c.get('own').cohort, c.req.valid('json'))),
  )
  .post(
    '/:id/publish/',
    describe({
      summary: msg`Publishes a cohort: anyone with the public link can see its page`,
      answers: { 200: Cohort },
      errors: ['cohort_in_trash', 'course_self_paced'],
    }),
    requireViewer((request) => ({ cohort: orNotFound(findOwnCohort(request.param('id') ?? '')) })),
    async (c) => {
      const { id, courseName } = c.get('own').cohort;
      return c.json(await publishCohort(c.get('viewerCtx'), id, courseName));
    },
  )
  .post(
    '/:id/unpublish/',
    describe({
      summary: msg`Makes a published cohort a draft again`,
      answers: { 200: Cohort },
      errors: ['cohort_has_people', 'cohort_in_trash', 'course_self_paced'],
    }),
    requireViewer(),
    async (c) => c.json(await unpublishCohort(c.get('viewerCtx'), c.req.param('id'))),
  )
  .post(
    '/:id/archive/',
    describe({
      summary: msg`Archives a cohort. If it has not ended, those who wait get an email that no place became free, unless it is taken out of the archive within minutes`,
      answers: { 200: Cohort },
      errors: ['cohort_in_trash', 'course_self_paced', 'too_many_notices'],
    }),
    requireViewer(),
    jsonInput(ArchiveInput),
    async (c) =>
      c.json(await archiveCohort(c.get('viewerCtx'), c.req.param('id'), c.req.valid('json'))),
  )
  .post(
    '/:id/unarchive/',
    describe({
      summary: msg`Takes a cohort out of the archive`,
      answers: { 200: Cohort },
      errors: ['cohort_in_trash', 'course_self_paced'],
    }),
    requireViewer(),
    async (c) => c.json(await unarchiveCohort(c.get('viewerCtx'), c.req.param('id'))),
  )
  .post(
    '/:id/move/',
    describe({
      summary: msg`Moves a cohort to other days, or to another time zone; as a dry run, only shows all dates before and after`,
      answers: { 200: DatesPreview },
      errors: ['cohort_in_trash', 'dates_changed', 'too_many_notices', 'course_self_paced'],
    }),
    requireViewer(readWithDates),
    jsonInput(MoveInput),
    async (c) => c.json(await moveCohort(c.get('viewerCtx'), c.get('own'), c.req.valid('json'))),
  )
  .post(
    '/:id/duplicate/',
    describe({
      summary: msg`Copies a cohort to a draft that begins on another day; as a dry run, only shows its dates`,
      answers: { 200: DatesPreview, 201: Cohort },
      errors: [
        'cohort_in_trash',
        'course_is_evergreen',
        'course_self_paced',
        'too_many_cohorts',
        'idempotency_key_reused',
      ],
      headers: [keyHeader],
    }),
    requireViewer((request) => ({
      ...readWithMeetings(request),
      courseName: courseNameOf(request.param('id') ?? ''),
    })),
    jsonInput(DuplicateInput),
    async (c) => {
      const [ctx, original, key] = [c.get('viewerCtx'), c.get('own'), idempotencyKey(c)];
      const { dry_run: isPreview, ...copy } = c.req.valid('json');
      return isPreview
        ? c.json(await previewDuplicate(ctx, original, copy), 200)
        : c.json(await duplicateCohort(ctx, original, copy, key), 201);
    },
  )
  .post(
    '/:id/restore/',
    describe({
      summary: msg`Takes a cohort out of the trash`,
      answers: { 200: Cohort },
      errors: ['too_many_cohorts', 'course_self_paced'],
    }),
    requireViewer(),
    async (c) => c.json(await restoreCohort(c.get('viewerCtx'), c.req.param('id'))),
  )
  .post(
    '/:id/money/',
    describe({
      summary: msg`Decides what happens to the money paid for a cohort in the trash, which isn’t deleted until then`,
      answers: { 204: null },
      errors: ['cohort_not_in_trash'],
    }),
    requireViewer(readCohort),
    jsonInput(MoneyInput),
    (c) =>
      noContent(c, decideMoney(c.get('viewerCtx'), c.get('own').cohort, c.req.valid('json').money)),
  )
  .post(
    '/:id/purge/',
    describe({
      summary: msg`Deletes a cohort in the trash permanently`,
      answers: { 204: null },
      errors: ['cohort_not_in_trash', 'money_undecided', 'proof_required', 'course_self_paced'],
    }),
    requireViewer(),
    (c) => noContent(c, purgeCohort(c.get('viewerCtx'), c.req.param('id'))),
  );
