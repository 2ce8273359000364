import 'server-only';
import { msg } from '@lingui/core/macro';
import type { HonoRequest } from 'hono';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { jsonInput } from '#api/json-input.ts';
import { type ParticipantMailKind, participantMailKinds } from '#email/kinds.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import { previewEmail } from '#features/letters/sample.ts';
import { EmailPreview } from '#features/letters/schema.ts';
import { findOwnCohort, type OwnCohort } from '#features/planning/find-own-cohort.ts';
import { AppError } from '#lib/app-error.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { changeSwitches } from './change-switches.ts';
import { getEmails } from './find-emails.ts';
import { CohortEmails, EmailSwitches, EmailSwitchesPatch } from './schema.ts';
import { sendPreview } from './send-preview.ts';

const cohortId = (request: HonoRequest) => request.param('id') ?? '';

/** /api/cohorts/{id}/emails: the emails of one of the caller's cohorts. */
export const emails = new Hono<HonoEnv>()
  .get(
    '/:id/emails/',
    describe({
      summary: msg`What a cohort has emailed in the last 90 days, what it will, and what came back`,
      answers: { 200: CohortEmails },
    }),
    requireViewer((request) => ({ emails: getEmails(cohortId(request)) })),
    (c) => c.json(c.get('own').emails),
  )
  .patch(
    '/:id/emails/',
    describe({
      summary: msg`Turns optional emails of a cohort on or off`,
      answers: { 200: EmailSwitches },
    }),
    requireViewer(),
    jsonInput(EmailSwitchesPatch),
    async (c) =>
      c.json(await changeSwitches(c.get('viewerCtx'), c.req.param('id'), c.req.valid('json'))),
  )
  .get(
    '/:id/emails/:kind/',
    describe({
      summary: msg`An email as people get it from a cohort, in its language`,
      answers: { 200: EmailPreview },
    }),
    requireViewer((request) => ({ cohort: findOwnCohort(cohortId(request)) })),
    async (c) => {
      const { viewer, config, now } = c.get('viewerCtx');
      const cohort = existing(c.get('own').cohort);
      const kind = knownKind(c.req.param('kind'));
      return c.json(await previewEmail(config.appOrigin, cohort, viewer, kind, now()));
    },
  )
  .post(
    '/:id/emails/:kind/send/',
    describe({
      summary: msg`Emails it to the caller’s own address`,
      answers: { 202: null },
    }),
    requireViewer((request) => ({ cohort: findOwnCohort(cohortId(request)) })),
    async (c) => {
      const cohort = existing(c.get('own').cohort);
      await sendPreview(c.get('viewerCtx'), cohort, knownKind(c.req.param('kind')));
      return c.body(null, 202);
    },
  );

/** @throws AppError `not_found` without a cohort */
function existing(cohort: OwnCohort | null): OwnCohort {
  if (cohort === null) {
    throw new AppError('not_found');
  }
  return cohort;
}

/** @throws AppError `not_found` for an email that does not exist */
function knownKind(name: string): ParticipantMailKind {
  const kind = participantMailKinds.find((one) => one === name);
  if (kind === undefined) {
    throw new AppError('not_found');
  }
  return kind;
}
