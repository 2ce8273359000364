import 'server-only';
import { msg } from '@lingui/core/macro';
import type { HonoRequest } from 'hono';
import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { describe } from '#api/describe.ts';
import { done } from '#api/done.ts';
import { jsonInput } from '#api/json-input.ts';
import { idempotencyKey, idempotencyKeyHeader } from '#api/request.ts';
import { findDatedRow } from '#features/cohorts/get-cohort.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { cancelMeeting, changeMeeting } from './change-meeting.ts';
import { changeSchedule, findScheduleTable } from './change-schedule.ts';
import { createMeetings, previewMeetings } from './create-meetings.ts';
import { findMeeting, findSchedule } from './list-meetings.ts';
import {
  Meeting,
  MeetingInput,
  MeetingPatch,
  PlannedMeeting,
  ScheduleInput,
  ScheduleTable,
} from './schema.ts';

const keyHeader = {
  ...idempotencyKeyHeader,
  description: msg`Any text that is new for each request; the same one sent again with the same key creates nothing more. With another body it is refused as long as what it created is unchanged`,
};

const cohortId = (request: HonoRequest) => request.param('id') ?? '';

/** Reads the cohort of the path, in the trip that looks up its owner. */
const readCohort = (request: HonoRequest) => ({ cohort: findDatedRow(cohortId(request)) });

/** The same with the session of the path. */
const readMeeting = (request: HonoRequest) => ({
  ...readCohort(request),
  meeting: findMeeting(cohortId(request), request.param('meeting') ?? ''),
});

/** /api/cohorts/{id}/meetings: the live sessions of one of the caller's cohorts. */
export const meetingRoutes = new Hono<HonoEnv>()
  .get(
    '/:id/meetings/',
    describe({
      summary: msg`The live sessions of a cohort by time; canceled ones stay for 30 days`,
      answers: { 200: z.array(Meeting) },
      errors: ['course_self_paced'],
    }),
    requireViewer((request) => ({
      ...readCohort(request),
      meetings: findSchedule(cohortId(request)),
    })),
    (c) => c.json(c.get('own').meetings),
  )
  .post(
    '/:id/meetings/',
    describe({
      summary: msg`Adds a live session, or several a week apart; as a dry run, only shows them`,
      answers: { 200: z.array(PlannedMeeting), 201: z.array(Meeting) },
      errors: [
        'cohort_in_trash',
        'dates_changed',
        'too_many_meetings',
        'idempotency_key_reused',
        'course_self_paced',
      ],
      headers: [keyHeader],
    }),
    requireViewer(readCohort),
    jsonInput(MeetingInput),
    async (c) => {
      const [ctx, { cohort }, input] = [c.get('viewerCtx'), c.get('own'), c.req.valid('json')];
      const key = idempotencyKey(c);
      return input.dry_run
        ? c.json(await previewMeetings(ctx, cohort, input), 200)
        : c.json(await createMeetings(ctx, cohort, input, key), 201);
    },
  )
  .get(
    '/:id/schedule/',
    describe({
      summary: msg`The live sessions and days off of a cohort, with the mark to send back when you change them all`,
      answers: { 200: ScheduleTable },
      errors: ['course_self_paced'],
    }),
    requireViewer((request) => ({
      ...readCohort(request),
      table: findScheduleTable(cohortId(request)),
    })),
    (c) => c.json(c.get('own').table),
  )
  .put(
    '/:id/schedule/',
    describe({
      summary: msg`Changes all live sessions and days off of a cohort at once; sessions that are missing are canceled or deleted`,
      answers: { 200: ScheduleTable },
      errors: [
        'cohort_in_trash',
        'dates_changed',
        'schedule_changed',
        'too_many_meetings',
        'course_self_paced',
      ],
    }),
    requireViewer(readCohort),
    jsonInput(ScheduleInput),
    async (c) => {
      const [ctx, { cohort }] = [c.get('viewerCtx'), c.get('own')];
      return c.json(await changeSchedule(ctx, cohort, c.req.valid('json')));
    },
  )
  .patch(
    '/:id/meetings/:meeting/',
    describe({
      summary: msg`Changes the given fields of a live session`,
      answers: { 200: Meeting },
      errors: ['cohort_in_trash', 'dates_changed', 'meeting_cancelled', 'course_self_paced'],
    }),
    requireViewer(readMeeting),
    jsonInput(MeetingPatch),
    async (c) => c.json(await changeMeeting(c.get('viewerCtx'), c.get('own'), c.req.valid('json'))),
  )
  .delete(
    '/:id/meetings/:meeting/',
    describe({
      summary: msg`Cancels an upcoming live session of a published cohort; deletes any other`,
      answers: { 204: null },
      errors: ['cohort_in_trash', 'course_self_paced'],
    }),
    requireViewer(readMeeting),
    (c) => done(c, cancelMeeting(c.get('viewerCtx'), c.get('own'))),
  );
