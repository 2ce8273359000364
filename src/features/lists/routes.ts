import 'server-only';
import { msg } from '@lingui/core/macro';
import { createMiddleware } from 'hono/factory';
import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { describe } from '#api/describe.ts';
import { jsonInput } from '#api/json-input.ts';
import { knownParameter } from '#api/request.ts';
import { standings } from '#db/values.ts';
import { findCohortRow } from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import { consume } from '#features/limits/limit-on.ts';
import { findStanding } from '#features/outbox/standing.ts';
import { delimiters } from '#lib/csv.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { findRosterRows, rosterDisposition, rosterFile } from './export-roster.ts';
import { importPeople } from './import-people.ts';
import { ImportInput, ImportResult } from './schema.ts';

/** Counts a list before it is parsed: to read one takes longer than any other request. */
const countedList = createMiddleware<HonoEnv & { Variables: { viewerCtx: ViewerContext } }>(
  async function countedList(c, next) {
    const ctx = c.get('viewerCtx');
    await consume(ctx, [{ limit: 'import_previews_per_user', subject: ctx.viewer.id }], 'refuse');
    await next();
  },
);

/** /api/cohorts/{id}: the people of one of the caller's cohorts, as lists. */
export const rosterFiles = new Hono<HonoEnv>()
  .post(
    '/:id/imports/',
    describe({
      summary: msg`Enrolls or invites the people of a list, or says for each line what that would do`,
      answers: { 200: ImportResult },
      errors: [
        'cohort_in_trash',
        'cohort_over',
        'import_empty',
        'import_not_text',
        'import_too_large',
        'import_too_many_rows',
        'invitations_paused',
        'too_many_for_places',
        'too_many_people',
      ],
    }),
    requireViewer((request) => ({
      cohort: findCohortRow(request.param('id') ?? ''),
      standing: findStanding,
    })),
    countedList,
    jsonInput(ImportInput),
    async (c) =>
      c.json(await importPeople(c.get('viewerCtx'), c.get('own'), c.req.valid('json')), 200),
  )
  .get(
    '/:id/roster.csv',
    describe({
      summary: msg`Everyone who is or was in a cohort, or those enrolled who get on in one way, as a file that spreadsheets open and that can be imported`,
      answers: { 200: z.string() },
      answerHeaders: { 'Content-Disposition': msg`attachment, with the name of a file` },
      mediaTypes: ['text/csv'],
      query: { delimiter: delimiters, state: standings },
    }),
    requireViewer((request) => {
      const state = request.query('state');
      const standing = state === undefined ? null : knownParameter(standings, 'state', state);
      return { roster: findRosterRows(request.param('id') ?? '', standing) };
    }),
    async (c) => {
      const { roster } = c.get('own');
      const { locale } = c.get('viewerCtx').request;
      const parameter = c.req.query('delimiter');
      const usual = locale === 'fr' ? ';' : ',';
      const delimiter =
        parameter === undefined ? usual : knownParameter(delimiters, 'delimiter', parameter);
      return c.body(await rosterFile(roster, delimiter, locale), 200, {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': rosterDisposition(roster),
      });
    },
  );
