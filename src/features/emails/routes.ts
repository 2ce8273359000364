import 'server-only';
import { msg } from '@lingui/core/macro';
import type { HonoRequest } from 'hono';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { jsonInput } from '#api/json-input.ts';
import type { ParticipantMailKind } from '#email/kinds.ts';
import { orNotFound } from '#features/identity/find-actor.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import { previewEmail } from '#features/letters/sample.ts';
import { EmailPreview } from '#features/letters/schema.ts';
import { findOwnCohort, type OwnCohort } from '#features/planning/own-cohorts.ts';
import { requireFound } from '#lib/app-error.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { changeSwitches } from './change-switches.ts';
import { findEmail, isSentBy } from './find-email.ts';
import { findEmails } from './find-emails.ts';
import { CohortEmails, EmailSwitches, EmailSwitchesPatch } from './schema.ts';
import { sendPreview } from './send-preview.ts';

const cohortId = (request: HonoRequest) => request.param('id') ?? '';
const readCohort = (request: HonoRequest) => ({
  cohort: orNotFound(findOwnCohort(cohortId(request))),
  email: orNotFound(findEmail(cohortId(request), request.param('kind') ?? '')),
});

/** @throws AppError `not_found` for an email that this kind of cohort never sends */
function requireSent<Own extends { cohort: OwnCohort; email: { kind: ParticipantMailKind } }>(
  own: Own,
): Own {
  return requireFound(isSentBy(own.cohort, own.email.kind) ? own : null);
}

/** /api/cohorts/{id}/emails: the emails of one of the caller's cohorts. */
export const emails = new Hono<HonoEnv>()
  .get(
    '/:id/emails/',
    describe({
      summary: msg`What a cohort has emailed in the last 90 days, what it will, and what came back`,
      answers: { 200: CohortEmails },
    }),
    requireViewer((request) => ({ emails: orNotFound(findEmails(cohortId(request))) })),
    (c) => c.json(c.get('own').emails),
  )
  .patch(
    '/:id/emails/',
    describe({
      summary: msg`Turns optional emails of a cohort on or off`,
      answers: { 200: EmailSwitches },
      errors: ['course_self_paced'],
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
    requireViewer(readCohort),
    async (c) => {
      const { cohort, email } = requireSent(c.get('own'));
      return c.json(await previewEmail(c.get('viewerCtx'), cohort, email.kind, email.facts));
    },
  )
  .post(
    '/:id/emails/:kind/send/',
    describe({
      summary: msg`Emails it to the caller’s own address`,
      answers: { 202: null },
    }),
    requireViewer(readCohort),
    async (c) => {
      const { cohort, email } = requireSent(c.get('own'));
      await sendPreview(c.get('viewerCtx'), cohort, email.kind, email.facts);
      return c.body(null, 202);
    },
  );
