import 'server-only';
import { msg } from '@lingui/core/macro';
import type { HonoRequest } from 'hono';
import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { describe } from '#api/describe.ts';
import { jsonInput } from '#api/json-input.ts';
import { knownParameter } from '#api/request.ts';
import { findDatedRow } from '#features/cohorts/get-cohort.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import { findMeeting } from '#features/meetings/list-meetings.ts';
import { delimiters } from '#lib/csv.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { attendanceDisposition, attendanceFile, findAttendanceRows } from './attendance-file.ts';
import { completeAttended } from './complete-people.ts';
import { listAttendance, marksOf } from './find-attendance.ts';
import { markAttendance } from './mark-attendance.ts';
import {
  AttendanceInput,
  CohortAttendance,
  CompletedPeople,
  CompletionInput,
  MeetingAttendance,
} from './schema.ts';

const cohortId = (request: HonoRequest) => request.param('id') ?? '';
const meetingId = (request: HonoRequest) => request.param('meeting') ?? '';

/** Reads the cohort and the session of the path, in the trip that looks up their owner. */
const readMeeting = (request: HonoRequest) => ({
  cohort: findDatedRow(cohortId(request)),
  meeting: findMeeting(cohortId(request), meetingId(request)),
});

/** /api/cohorts/{id}: who was at the live sessions of one of the caller's cohorts. */
export const attendanceRoutes = new Hono<HonoEnv>()
  .get(
    '/:id/attendance/',
    describe({
      summary: msg`Who was at which live session of a cohort, 100 people at a time, by name`,
      answers: { 200: CohortAttendance },
      errors: ['course_self_paced'],
      query: { after: 'text' },
    }),
    requireViewer((request) => {
      const after = request.query('after');
      const address = after === undefined ? '' : new URLSearchParams({ after }).toString();
      return { table: listAttendance(cohortId(request), address) };
    }),
    (c) => c.json(c.get('own').table),
  )
  .get(
    '/:id/attendance.csv',
    describe({
      summary: msg`Who was at which live session of a cohort, as a file that spreadsheets open`,
      answers: { 200: z.string() },
      errors: ['course_self_paced'],
      answerHeaders: { 'Content-Disposition': msg`attachment, with the name of a file` },
      mediaTypes: ['text/csv'],
      query: { delimiter: delimiters },
    }),
    requireViewer((request) => ({
      cohort: findDatedRow(cohortId(request)),
      table: findAttendanceRows(cohortId(request)),
    })),
    async (c) => {
      const { table } = c.get('own');
      const parameter = c.req.query('delimiter');
      const usual = c.get('viewerCtx').request.locale === 'fr' ? ';' : ',';
      const delimiter =
        parameter === undefined ? usual : knownParameter(delimiters, 'delimiter', parameter);
      return c.body(await attendanceFile(table, delimiter), 200, {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': attendanceDisposition(table.cohort),
      });
    },
  )
  .get(
    '/:id/meetings/:meeting/marks/',
    describe({
      summary: msg`Who is marked as present or absent at a live session`,
      answers: { 200: MeetingAttendance },
      errors: ['course_self_paced'],
    }),
    requireViewer((request) => ({
      ...readMeeting(request),
      marks: (_ctx, ownerId) => marksOf({ ownerId, meetingId: meetingId(request) }),
    })),
    (c) => c.json({ marks: c.get('own').marks }),
  )
  .put(
    '/:id/meetings/:meeting/marks/',
    describe({
      summary: msg`Marks who was at a live session, or clears marks. Other marks stay; people without a place when it began are skipped`,
      answers: { 200: MeetingAttendance },
      errors: ['cohort_in_trash', 'meeting_cancelled', 'attendance_too_early', 'course_self_paced'],
    }),
    requireViewer(readMeeting),
    jsonInput(AttendanceInput),
    async (c) =>
      c.json(await markAttendance(c.get('viewerCtx'), c.get('own'), c.req.valid('json'))),
  )
  .post(
    '/:id/completions/',
    describe({
      summary: msg`Marks everyone as completed who has attended enough live sessions`,
      answers: { 200: CompletedPeople },
      errors: ['cohort_in_trash', 'cohort_not_begun', 'cohort_not_over', 'course_self_paced'],
    }),
    requireViewer((request) => ({ cohort: findDatedRow(cohortId(request)) })),
    jsonInput(CompletionInput),
    async (c) => {
      const { cohort } = c.get('own');
      return c.json(await completeAttended(c.get('viewerCtx'), cohort, c.req.valid('json')), 200);
    },
  );
