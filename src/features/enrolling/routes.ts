import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { done } from '#api/done.ts';
import { jsonInput } from '#api/json-input.ts';
import { whyNobodyEnrolls } from '#features/places/refusals.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { confirmInterest, forgetInterest } from './confirm-interest.ts';
import { confirmRequest } from './confirm-request.ts';
import { findAvailability } from './find-availability.ts';
import { requestEnrollment } from './request-enrollment.ts';
import { requestInterest } from './request-interest.ts';
import {
  Availability,
  ConfirmRequestInput,
  EnrollmentRequested,
  EnrollmentRequestInput,
  InterestConfirmed,
  InterestInput,
  RequestConfirmed,
} from './schema.ts';

/** /api/public: for everyone, without a session. */
export const publicRoutes = new Hono<HonoEnv>()
  .get(
    '/cohorts/:id/',
    describe({
      summary: msg`What a published cohort offers at this moment, and the stamp of a form`,
      answers: { 200: Availability },
    }),
    async (c) => {
      const availability = await findAvailability(c.get('ctx'), c.req.param('id'));
      // The form asks every seven seconds, so what it shows is ten seconds old at most.
      c.header('Cache-Control', 'public, s-maxage=3');
      return c.json(availability);
    },
  )
  .post(
    '/cohorts/:id/requests/',
    describe({
      summary: msg`Asks to enroll: an email asks for the confirmation. The answer is the same for every address`,
      answers: { 202: EnrollmentRequested },
      errors: [...whyNobodyEnrolls, 'form_stale', 'too_many_people'],
    }),
    jsonInput(EnrollmentRequestInput),
    async (c) =>
      c.json(await requestEnrollment(c.get('ctx'), c.req.param('id'), c.req.valid('json')), 202),
  )
  .post(
    '/requests/confirm/',
    describe({
      summary: msg`Confirms a request to enroll by the token of its email: into a place, onto the waitlist, or for the owner to decide`,
      answers: { 200: RequestConfirmed },
      errors: [
        ...whyNobodyEnrolls,
        'enrollment_removed',
        'payment_off',
        'person_link_invalid',
        'too_many_holds',
      ],
    }),
    jsonInput(ConfirmRequestInput),
    async (c) => c.json(await confirmRequest(c.get('ctx'), c.req.valid('json').token)),
  )
  .post(
    '/courses/:id/interests/',
    describe({
      summary: msg`Asks for an email when enrollment of a course opens: another one asks for the confirmation. The answer is the same for every address`,
      answers: { 202: EnrollmentRequested },
      errors: ['enrollment_is_open', 'form_stale'],
    }),
    jsonInput(InterestInput),
    async (c) =>
      c.json(await requestInterest(c.get('ctx'), c.req.param('id'), c.req.valid('json')), 202),
  )
  .post(
    '/interests/confirm/',
    describe({
      summary: msg`Confirms by the token of an email that someone waits for enrollment to open`,
      answers: { 200: InterestConfirmed },
      errors: ['interest_link_invalid'],
    }),
    jsonInput(ConfirmRequestInput),
    async (c) => c.json(await confirmInterest(c.get('ctx'), c.req.valid('json').token)),
  )
  .post(
    '/interests/forget/',
    describe({
      summary: msg`Forgets the address of someone who waits for enrollment to open`,
      answers: { 204: null },
      errors: ['interest_link_invalid'],
    }),
    jsonInput(ConfirmRequestInput),
    (c) => done(c, forgetInterest(c.get('ctx'), c.req.valid('json').token)),
  );
