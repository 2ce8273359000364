import 'server-only';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { createFactory } from 'hono/factory';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { jsonInput } from '#api/json-input.ts';
import { OpenedCheckout } from '#features/checkouts/schema.ts';
import { whyNobodyEnrolls } from '#features/places/refusals.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { changeParticipant } from './change-participant.ts';
import { participate } from './participate.ts';
import { checkPayment, payOnline } from './pay.ts';
import { requestDataLink, requestNewLink } from './request-links.ts';
import {
  CheckedPayment,
  CheckInput,
  DataLinkInput,
  NewLinkInput,
  type ParticipantAction,
  ParticipantDetails,
  ParticipantPatch,
  Participation,
  ParticipationInput,
} from './schema.ts';

/** What a person does about their place. */
function handlersOf(action: ParticipantAction, summary: MessageDescriptor) {
  return createFactory<HonoEnv>().createHandlers(
    describe({
      summary,
      answers: { 200: Participation },
      errors: [
        ...whyNobodyEnrolls,
        'enrollment_removed',
        'enrollment_transition',
        'not_found',
        'offer_expired',
        'payment_off',
        'payment_required',
        'person_link_invalid',
        'too_many_holds',
      ],
    }),
    jsonInput(ParticipationInput),
    async (c) => c.json(await participate(c.get('ctx'), action, c.req.valid('json'))),
  );
}

/** /api/participation: what people do by the link in their emails, without a session. */
export const participation = new Hono<HonoEnv>()
  .patch(
    '/',
    describe({
      summary: msg`Changes the name or the language of the person of a link, or whether they get reminders; or notes that they take part`,
      answers: { 200: ParticipantDetails },
      errors: ['person_link_invalid'],
    }),
    jsonInput(ParticipantPatch),
    async (c) => c.json(await changeParticipant(c.get('ctx'), c.req.valid('json'))),
  )
  .post('/accept/', ...handlersOf('accept', msg`Accepts an offer or an invitation`))
  .post('/decline/', ...handlersOf('decline', msg`Declines an offer or an invitation`))
  .post('/leave/', ...handlersOf('leave', msg`Leaves a cohort or its waitlist`))
  .post(
    '/rejoin/',
    ...handlersOf(
      'rejoin',
      msg`Enrolls again, joins the end of the waitlist, or asks the owner again`,
    ),
  )
  .post(
    '/checkout/',
    describe({
      summary: msg`Opens the page at Stripe on which the person of a link pays: for a place that is kept for them, or what they owe`,
      answers: { 200: OpenedCheckout },
      errors: [
        'amount_not_payable',
        'not_found',
        'nothing_owed',
        'offer_expired',
        'payment_confirming',
        'payment_off',
        'payment_unavailable',
        'person_link_invalid',
      ],
    }),
    jsonInput(ParticipationInput),
    async (c) => c.json(await payOnline(c.get('ctx'), c.req.valid('json')), 200),
  )
  .post(
    '/checkout/check/',
    describe({
      summary: msg`Asks Stripe what has become of a payment of the person of a link`,
      answers: { 200: CheckedPayment },
      errors: ['not_found', 'payment_unavailable', 'person_link_invalid'],
    }),
    jsonInput(CheckInput),
    async (c) => c.json(await checkPayment(c.get('ctx'), c.req.valid('json')), 200),
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
  );
