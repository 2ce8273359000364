import 'server-only';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { createFactory } from 'hono/factory';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { done } from '#api/done.ts';
import { jsonInput } from '#api/json-input.ts';
import type { Context } from '#context.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { confirmNewAddress, requestNewAddress } from './change-address.ts';
import { eraseOwnData } from './erase-person.ts';
import { exportOwnData } from './export-person.ts';
import { renewOwnLink } from './renew-link.ts';
import { AddressConfirmed, NewAddressInput, PersonExport, RightsInput } from './schema.ts';

/** The handlers of a route that does something by a token and says no more than that it is done. */
function doneRoute(
  summary: MessageDescriptor,
  act: (ctx: Context, token: unknown) => Promise<void>,
) {
  return createFactory<HonoEnv>().createHandlers(
    describe({ summary, answers: { 204: null }, errors: ['rights_link_invalid'] }),
    jsonInput(RightsInput),
    (c) => done(c, act(c.get('ctx'), c.req.valid('json').token)),
  );
}

/** /api/participation: what people do about what is kept of them, by links in their emails. */
export const rightsOfParticipants = new Hono<HonoEnv>()
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
    ...doneRoute(
      msg`Erases the person of that link; their places go to the waitlist`,
      (ctx, token) => eraseOwnData(ctx, 'data', token),
    ),
  )
  .post(
    '/renew-link/',
    ...doneRoute(
      msg`Ends all links of the person of that link, and emails them a new one`,
      renewOwnLink,
    ),
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
    ...doneRoute(
      msg`Erases someone whom an instructor has added, by the token of that email, and ends invitations`,
      (ctx, token) => eraseOwnData(ctx, 'remove', token),
    ),
  );
