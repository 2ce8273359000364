import 'server-only';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { HonoRequest } from 'hono';
import { createFactory } from 'hono/factory';
import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { describe } from '#api/describe.ts';
import { done } from '#api/done.ts';
import { jsonInput } from '#api/json-input.ts';
import { isHead, knownParameter } from '#api/request.ts';
import { standings } from '#db/values.ts';
import { CompleteInput } from '#features/attendance/schema.ts';
import { findCohortRow } from '#features/cohorts/get-cohort.ts';
import { orNotFound } from '#features/identity/find-actor.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import { SettleInput } from '#features/ledger/schema.ts';
import { findStanding } from '#features/outbox/standing.ts';
import {
  findEnrollment,
  findWaitlist,
  listAddresses,
  listRequests,
  listRoster,
  rosterFilters,
} from '#features/places/find-enrollments.ts';
import {
  Addresses,
  EnrollmentDetails,
  EnrollmentPage,
  PendingRequest,
  Person,
  PersonPatch,
  WaitlistPage,
} from '#features/places/schema.ts';
import { erasePerson } from '#features/rights/erase-person.ts';
import { findPersonExport } from '#features/rights/export-person.ts';
import { findHolder } from '#features/rights/rights-holder.ts';
import { PersonExport } from '#features/rights/schema.ts';
import { AppError } from '#lib/app-error.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import type { ErrorCode } from '#vocabulary.ts';
import { addPerson } from './add-person.ts';
import {
  approvePeople,
  changeEnrollment,
  endPlaces,
  markCompleted,
  renewLink,
  resendLink,
} from './change-enrollment.ts';
import { changePerson } from './change-person.ts';
import { markAsLeft, settleAccount } from './mark-left.ts';
import type { EnrollmentMove } from './roster-paths.ts';
import {
  ApprovedPeople,
  ApprovePeopleInput,
  LeftInput,
  MovePersonInput,
  PersonInput,
  RefusedPeople,
  RemovedPeople,
  RemovePeopleInput,
  TransferInput,
} from './schema.ts';
import { transferPerson } from './transfer-person.ts';

const cohortId = (request: HonoRequest) => request.param('id') ?? '';
const personId = (request: HonoRequest) => request.param('id') ?? '';
const enrollmentId = (request: HonoRequest) => request.param('enrollment') ?? '';

/** Reads the cohort of the path, in the trip that looks up its owner. */
const readCohort = (request: HonoRequest) => ({ cohort: findCohortRow(cohortId(request)) });

const readEnrollment = (request: HonoRequest) => ({
  ...readCohort(request),
  enrollment: orNotFound(findEnrollment(cohortId(request), enrollmentId(request))),
});

/** The same wherever the enrollment is by now: a repeated transfer finds it in the other cohort. */
const readMoved = (request: HonoRequest) => ({
  ...readCohort(request),
  enrollment: orNotFound(findEnrollment(null, enrollmentId(request))),
});

const readHolder = (request: HonoRequest) => ({
  holder: orNotFound(findHolder(personId(request))),
});

const inTrash: ErrorCode[] = ['cohort_in_trash'];
const noTransition: ErrorCode[] = [...inTrash, 'enrollment_transition'];
const noSettling: ErrorCode[] = ['balance_changed', 'nothing_owed', 'nothing_paid'];
const noPlace: ErrorCode[] = [
  'cohort_full',
  'cohort_in_trash',
  'cohort_over',
  'enrollment_transition',
];

const { createHandlers } = createFactory<HonoEnv>();

function moveRoute(move: EnrollmentMove, summary: MessageDescriptor, errors: ErrorCode[]) {
  return createHandlers(
    describe({ summary, answers: { 200: EnrollmentDetails }, errors }),
    requireViewer(readEnrollment),
    jsonInput(MovePersonInput),
    async (c) =>
      c.json(await changeEnrollment(c.get('viewerCtx'), move, c.get('own'), c.req.valid('json'))),
  );
}

/** /api/cohorts/{id}: the people of one of the caller's cohorts. */
export const peopleOfCohort = new Hono<HonoEnv>()
  .get(
    '/:id/enrollments/',
    describe({
      summary: msg`The roster of a cohort by name, 100 at a time: who takes part, is offered a place or is invited; those with one status, or those enrolled who get on in one way; or, by a part of their name or address, everyone`,
      answers: { 200: EnrollmentPage },
      query: { status: rosterFilters, state: standings, q: 'text', after: 'text' },
    }),
    requireViewer((request) => {
      const [status, state] = [request.query('status'), request.query('state')];
      return {
        page: listRoster(cohortId(request), {
          status: status === undefined ? null : knownParameter(rosterFilters, 'status', status),
          standing: state === undefined ? null : knownParameter(standings, 'state', state),
          search: request.query('q') ?? '',
          after: request.query('after') ?? null,
        }),
      };
    }),
    (c) => c.json(c.get('own').page),
  )
  .post(
    '/:id/enrollments/',
    describe({
      summary: msg`Enrolls or invites someone, or puts them on the waitlist; 200 for someone who is there already`,
      answers: { 200: EnrollmentDetails, 201: EnrollmentDetails },
      errors: [...noPlace, 'invitations_paused', 'invitations_unwanted', 'too_many_people'],
    }),
    requireViewer((request) => ({ ...readCohort(request), standing: findStanding })),
    jsonInput(PersonInput),
    async (c) => {
      const [ctx, own, input] = [c.get('viewerCtx'), c.get('own'), c.req.valid('json')];
      const { enrollment, isNew } = await addPerson(ctx, own, input);
      return isNew ? c.json(enrollment, 201) : c.json(enrollment, 200);
    },
  )
  .post(
    '/:id/enrollments/remove/',
    describe({
      summary: msg`Removes several people at once, who cannot come back by themselves`,
      answers: { 200: RemovedPeople },
      errors: inTrash,
    }),
    requireViewer(readCohort),
    jsonInput(RemovePeopleInput),
    async (c) => {
      const { cohort } = c.get('own');
      const input = c.req.valid('json');
      return c.json({ removed: await endPlaces(c.get('viewerCtx'), cohort, 'removed', input) });
    },
  )
  .post(
    '/:id/enrollments/approve/',
    describe({
      summary: msg`Approves several requests for a place at once, in the order in which they came; people for whom none is free join the waitlist`,
      answers: { 200: ApprovedPeople },
      errors: ['cohort_in_trash', 'cohort_over', 'payments_paused'],
    }),
    requireViewer(readCohort),
    jsonInput(ApprovePeopleInput),
    async (c) => {
      const { cohort } = c.get('own');
      return c.json(await approvePeople(c.get('viewerCtx'), cohort, c.req.valid('json')));
    },
  )
  .post(
    '/:id/enrollments/refuse/',
    describe({
      summary: msg`Turns down several people at once who ask for a place`,
      answers: { 200: RefusedPeople },
      errors: inTrash,
    }),
    requireViewer(readCohort),
    jsonInput(RemovePeopleInput),
    async (c) => {
      const { cohort } = c.get('own');
      const input = c.req.valid('json');
      return c.json({ refused: await endPlaces(c.get('viewerCtx'), cohort, 'refused', input) });
    },
  )
  .get(
    '/:id/enrollments/:enrollment/',
    describe({
      summary: msg`One person of a cohort, with all that has happened`,
      answers: { 200: EnrollmentDetails },
    }),
    requireViewer(readEnrollment),
    (c) => c.json(c.get('own').enrollment),
  )
  .post(
    '/:id/enrollments/:enrollment/offer/',
    ...moveRoute('offer', msg`Offers a place to someone on the waitlist, out of turn`, [
      ...noPlace,
      'offer_before_publishing',
      'offer_too_late',
      'payments_paused',
    ]),
  )
  .post(
    '/:id/enrollments/:enrollment/accept/',
    ...moveRoute('add', msg`Enrolls someone who waits, is invited or has left`, noPlace),
  )
  .post(
    '/:id/enrollments/:enrollment/approve/',
    ...moveRoute(
      'approve',
      msg`Approves a request for a place, or puts the person on the waitlist if none is free`,
      [...noPlace, 'payments_paused'],
    ),
  )
  .post(
    '/:id/enrollments/:enrollment/refuse/',
    ...moveRoute(
      'refuse',
      msg`Turns down someone who asks for a place, who cannot ask again by themselves`,
      noTransition,
    ),
  )
  .post(
    '/:id/enrollments/:enrollment/remove/',
    ...moveRoute('remove', msg`Removes someone, who cannot come back by themselves`, noTransition),
  )
  .post(
    '/:id/enrollments/:enrollment/left/',
    describe({
      summary: msg`Marks someone who is enrolled as left, and refunds, waives or keeps what is on their account`,
      answers: { 200: EnrollmentDetails },
      errors: [...noTransition, ...noSettling],
    }),
    requireViewer(readEnrollment),
    jsonInput(LeftInput),
    async (c) => c.json(await markAsLeft(c.get('viewerCtx'), c.get('own'), c.req.valid('json'))),
  )
  .post(
    '/:id/enrollments/:enrollment/settle/',
    describe({
      summary: msg`Decides what happens to the account of someone who no longer takes part`,
      answers: { 200: EnrollmentDetails },
      errors: [...noTransition, ...noSettling],
    }),
    requireViewer(readEnrollment),
    jsonInput(SettleInput),
    async (c) => c.json(await settleAccount(c.get('viewerCtx'), c.get('own'), c.req.valid('json'))),
  )
  .post(
    '/:id/enrollments/:enrollment/withdraw/',
    ...moveRoute(
      'withdraw',
      msg`Takes an offer back, unless it was accepted; its place goes to the next person, and theirs is lost as by removing them`,
      noTransition,
    ),
  )
  .post(
    '/:id/enrollments/:enrollment/transfer/',
    describe({
      summary: msg`Moves someone who is enrolled to another cohort of the same owner, with all that has happened`,
      answers: { 200: EnrollmentDetails },
      errors: [...noPlace, 'money_in_other_currency', 'person_in_target'],
    }),
    requireViewer(readMoved),
    jsonInput(TransferInput),
    async (c) =>
      c.json(await transferPerson(c.get('viewerCtx'), c.get('own'), c.req.valid('json'))),
  )
  .post(
    '/:id/enrollments/:enrollment/complete/',
    describe({
      summary: msg`Marks that someone has completed the cohort`,
      answers: { 200: EnrollmentDetails },
      errors: [...noTransition, 'cohort_not_begun', 'cohort_not_over'],
    }),
    requireViewer(readEnrollment),
    jsonInput(CompleteInput),
    async (c) => c.json(await markCompleted(c.get('viewerCtx'), c.get('own'), c.req.valid('json'))),
  )
  .post(
    '/:id/enrollments/:enrollment/uncomplete/',
    describe({
      summary: msg`Removes the mark that someone has completed the cohort`,
      answers: { 200: EnrollmentDetails },
      errors: noTransition,
    }),
    requireViewer(readEnrollment),
    async (c) => c.json(await markCompleted(c.get('viewerCtx'), c.get('own'), null)),
  )
  .post(
    '/:id/enrollments/:enrollment/resend/',
    describe({
      summary: msg`Emails someone the link to their page again`,
      answers: { 204: null },
      errors: inTrash,
    }),
    requireViewer(readEnrollment),
    (c) => done(c, resendLink(c.get('viewerCtx'), c.get('own'))),
  )
  .get(
    '/:id/waitlist/',
    describe({
      summary: msg`The waitlist of a cohort, 100 at a time: who is offered a place, then who waits, in order; and why no place is being offered`,
      answers: { 200: WaitlistPage },
      query: { after: 'text' },
    }),
    requireViewer((request) => ({
      page: orNotFound(findWaitlist(cohortId(request), request.query('after') ?? null)),
    })),
    (c) => c.json(c.get('own').page),
  )
  .get(
    '/:id/requests/',
    describe({
      summary: msg`Requests to enroll that are not confirmed yet`,
      answers: { 200: z.array(PendingRequest) },
    }),
    requireViewer((request) => ({ requests: listRequests(cohortId(request)) })),
    (c) => c.json(c.get('own').requests),
  )
  .get(
    '/:id/addresses/',
    describe({
      summary: msg`The email addresses of everyone who is enrolled, by name`,
      answers: { 200: Addresses },
    }),
    requireViewer((request) => ({ addresses: listAddresses(cohortId(request)) })),
    (c) => c.json(c.get('own').addresses),
  );

/** /api/people: the caller's participants. */
export const peopleRoutes = new Hono<HonoEnv>()
  .get(
    '/:id/export/',
    describe({
      summary: msg`Everything that is kept about a participant, as a file`,
      answers: { 200: PersonExport },
      answerHeaders: { 'Content-Disposition': msg`attachment, with the name of a file` },
      errors: ['not_found'],
    }),
    requireViewer((request) => ({ data: orNotFound(findPersonExport(personId(request))) })),
    (c) => {
      if (isHead(c)) {
        return c.body(null, 200);
      }
      c.get('viewerCtx').observe.log('person_exported', { by: 'owner' });
      c.header('Content-Disposition', 'attachment; filename="person.json"');
      return c.json(c.get('own').data);
    },
  )
  .delete(
    '/:id/',
    describe({
      summary: msg`Erases a participant from all of the caller’s cohorts; their places go to the waitlist`,
      answers: { 204: null },
      errors: ['not_found'],
    }),
    requireViewer(readHolder),
    async (c) => {
      const ctx = c.get('viewerCtx');
      if (!(await erasePerson(ctx, c.get('own').holder, { by: 'owner' }))) {
        throw new AppError('not_found');
      }
      return c.body(null, 204);
    },
  )
  .patch(
    '/:id/',
    describe({
      summary: msg`Changes the given fields of a participant; another address ends the links that were sent to the old one`,
      answers: { 200: Person },
      errors: ['invitations_paused', 'invitations_unwanted'],
    }),
    requireViewer((request) => ({ ...readHolder(request), standing: findStanding })),
    jsonInput(PersonPatch),
    async (c) => c.json(await changePerson(c.get('viewerCtx'), c.get('own'), c.req.valid('json'))),
  )
  .post(
    '/:id/link/',
    describe({
      summary: msg`Ends all links of a participant and emails them a new one`,
      answers: { 204: null },
    }),
    requireViewer(readHolder),
    (c) => done(c, renewLink(c.get('viewerCtx'), c.get('own').holder)),
  );
