import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { done } from '#api/done.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { endFeed, findOwnFeed, renewFeed, toCalendarFeed } from './change-feed.ts';
import { CalendarFeed } from './schema.ts';

/** /api/calendar-feed: the calendar of all cohorts of the caller. */
export const calendarFeedRoutes = new Hono<HonoEnv>()
  .get(
    '/',
    describe({
      summary: msg`The secret link to the calendar of all the caller’s cohorts`,
      answers: { 200: CalendarFeed },
    }),
    requireViewer(() => ({ feed: findOwnFeed })),
    async (c) => c.json(await toCalendarFeed(c.get('viewerCtx'), c.get('own').feed)),
  )
  .post(
    '/',
    describe({
      summary: msg`Turns that calendar on with a new link, which replaces the previous one`,
      answers: { 201: CalendarFeed },
    }),
    requireViewer(),
    async (c) => c.json(await renewFeed(c.get('viewerCtx')), 201),
  )
  .delete(
    '/',
    describe({
      summary: msg`Turns that calendar off and disables its link`,
      answers: { 204: null },
    }),
    requireViewer(),
    (c) => done(c, endFeed(c.get('viewerCtx'))),
  );
