import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { jsonInput } from '#api/json-input.ts';
import { idempotencyKey, idempotencyKeyHeader, knownParameter } from '#api/request.ts';
import { requireViewer } from '#api/require-viewer.ts';
import { findKeptMeetings } from '#features/meetings/kept-meetings.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { listChoices } from './list-choices.ts';

/** /api/courses/choices, which says of each course how its cohorts stand. */
export const courseChoices = new Hono<HonoEnv>().get(
  '/choices/',
  describe({
    summary: msg`The caller’s courses to choose from, oldest first, up to 500, or those with a text in their name`,
    answers: { 200: CourseChoices },
    query: { q: 'text' },
  }),
  requireViewer((request) => ({ choices: listChoices(request.query('q') ?? '') })),
  (c) => c.json(c.get('own').choices),
);
