import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { jsonInput } from '#api/json-input.ts';
import { changeParticipant } from '#features/participant/change-participant.ts';
import { participate } from '#features/participant/participate.ts';
import { renewOwnLink, requestNewLink } from '#features/participant/renew-link.ts';
import {
  AddressConfirmed,
  Availability,
  ConfirmRequestInput,
  DataLinkInput,
  EnrollmentRequested,
  EnrollmentRequestInput,
  InterestConfirmed,
  InterestInput,
  NewAddressInput,
  NewLinkInput,
  Participant,
  ParticipantPatch,
  Participation,
  ParticipationInput,
  PersonExport,
  RequestConfirmed,
  RightsInput,
} from '#features/places/schema.ts';
import { eraseOwnData } from '#features/rights/erase-person.ts';
import { exportOwnData } from '#features/rights/export-person.ts';
import {
  confirmNewAddress,
  requestDataLink,
  requestNewAddress,
} from '#features/rights/prove-address.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { confirmInterest, forgetInterest } from './confirm-interest.ts';
import { confirmRequest } from './confirm-request.ts';
import { findAvailability } from './find-availability.ts';
import { requestEnrollment } from './request-enrollment.ts';
import { requestInterest } from './request-interest.ts';

const whyClosed = [
  'cohort_full',
  'cohort_invitation_only',
  'cohort_over',
  'enrollment_closed',
  'enrollment_not_open',
] as const;

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
      errors: [...whyClosed, 'form_stale', 'too_many_people'],
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
      errors: [...whyClosed, 'enrollment_removed', 'person_link_invalid'],
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
    async (c) => {
      await forgetInterest(c.get('ctx'), c.req.valid('json').token);
      return c.body(null, 204);
    },
  );

const refused = [
  ...whyClosed,
  'enrollment_removed',
  'enrollment_transition',
  'not_found',
  'offer_expired',
  'person_link_invalid',
] as const;

/** /api/participation: what people do by the link in their emails, without a session. */
export const participation = new Hono<HonoEnv>()
  .patch(
    '/',
    describe({
      summary: msg`Changes the name or the language of the person of a link, or whether they get reminders`,
      answers: { 200: Participant },
      errors: ['person_link_invalid'],
    }),
    jsonInput(ParticipantPatch),
    async (c) => c.json(await changeParticipant(c.get('ctx'), c.req.valid('json'))),
  )
  .post(
    '/accept/',
    describe({
      summary: msg`Accepts an offer or an invitation`,
      answers: { 200: Participation },
      errors: [...refused],
    }),
    jsonInput(ParticipationInput),
    async (c) => c.json(await participate(c.get('ctx'), 'accept', c.req.valid('json'))),
  )
  .post(
    '/decline/',
    describe({
      summary: msg`Declines an offer or an invitation`,
      answers: { 200: Participation },
      errors: [...refused],
    }),
    jsonInput(ParticipationInput),
    async (c) => c.json(await participate(c.get('ctx'), 'decline', c.req.valid('json'))),
  )
  .post(
    '/leave/',
    describe({
      summary: msg`Leaves a cohort or its waitlist`,
      answers: { 200: Participation },
      errors: [...refused],
    }),
    jsonInput(ParticipationInput),
    async (c) => c.json(await participate(c.get('ctx'), 'leave', c.req.valid('json'))),
  )
  .post(
    '/rejoin/',
    describe({
      summary: msg`Enrolls again, joins the end of the waitlist, or asks the owner again`,
      answers: { 200: Participation },
      errors: [...refused],
    }),
    jsonInput(ParticipationInput),
    async (c) => c.json(await participate(c.get('ctx'), 'rejoin', c.req.valid('json'))),
  )
  .post(
    '/new-link/',
    describe({
      summary: msg`Emails the present link to the person of a dead one, if the address is theirs. The answer is always the same`,
      answers: { 202: null },
    }),
    jsonInput(NewLinkInput),
    async (c) => {
      await requestNewLink(c.get('ctx'), c.req.valid('json'));
      return c.body(null, 202);
    },
  )
  .post(
    '/data-link/',
    describe({
      summary: msg`Emails the person of a link another one, which shows what is kept about them for 10 minutes`,
      answers: { 202: null },
      errors: ['person_link_invalid'],
    }),
    jsonInput(DataLinkInput),
    async (c) => {
      await requestDataLink(c.get('ctx'), c.req.valid('json').link);
      return c.body(null, 202);
    },
  )
  .post(
    '/data/',
    describe({
      summary: msg`Everything that is kept about the person of that link, with this instructor`,
      answers: { 200: PersonExport },
      errors: ['not_found', 'rights_link_invalid'],
    }),
    jsonInput(RightsInput),
    async (c) => c.json(await exportOwnData(c.get('ctx'), c.req.valid('json').token)),
  )
  .post(
    '/erase/',
    describe({
      summary: msg`Erases the person of that link; their places go to the waitlist`,
      answers: { 204: null },
      errors: ['rights_link_invalid'],
    }),
    jsonInput(RightsInput),
    async (c) => {
      await eraseOwnData(c.get('ctx'), 'data', c.req.valid('json').token);
      return c.body(null, 204);
    },
  )
  .post(
    '/renew-link/',
    describe({
      summary: msg`Ends all links of the person of that link, and emails them a new one`,
      answers: { 204: null },
      errors: ['rights_link_invalid'],
    }),
    jsonInput(RightsInput),
    async (c) => {
      await renewOwnLink(c.get('ctx'), c.req.valid('json').token);
      return c.body(null, 204);
    },
  )
  .post(
    '/new-address/',
    describe({
      summary: msg`Sends a confirmation email to another address of the person of that link. The answer is always the same`,
      answers: { 202: null },
      errors: ['rights_link_invalid'],
    }),
    jsonInput(NewAddressInput),
    async (c) => {
      await requestNewAddress(c.get('ctx'), c.req.valid('json'));
      return c.body(null, 202);
    },
  )
  .post(
    '/confirm-address/',
    describe({
      summary: msg`Gives a person the address that the token was emailed to, and ends their earlier links`,
      answers: { 200: AddressConfirmed },
      errors: ['address_in_use', 'rights_link_invalid'],
    }),
    jsonInput(RightsInput),
    async (c) => {
      const page = await confirmNewAddress(c.get('ctx'), c.req.valid('json').token);
      return c.json({ redirect_to: page });
    },
  )
  .post(
    '/remove-me/',
    describe({
      summary: msg`Erases someone whom an instructor has added, by the token of that email, and ends invitations`,
      answers: { 204: null },
      errors: ['rights_link_invalid'],
    }),
    jsonInput(RightsInput),
    async (c) => {
      await eraseOwnData(c.get('ctx'), 'remove', c.req.valid('json').token);
      return c.body(null, 204);
    },
  );
