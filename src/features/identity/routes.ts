import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { describe } from '#api/describe.ts';
import { jsonInput } from '#api/json-input.ts';
import { suppressionCodes } from '#features/suppression/suppression-list.ts';
import { AppError } from '#lib/app-error.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { Account } from './account-schema.ts';
import { attemptOf, keepAttempt } from './attempt-cookie.ts';
import { confirmCode } from './confirm-code.ts';
import { confirmLink } from './confirm-link.ts';
import { endSessions } from './end-sessions.ts';
import { toAccount } from './get-account.ts';
import { listSessions } from './list-sessions.ts';
import { logOut } from './log-out.ts';
import { requestLoginLink } from './request-login-link.ts';
import { requireViewer } from './require-viewer.ts';
import { takeReturnPath } from './return-cookie.ts';
import {
  Confirmed,
  ConfirmInput,
  LoginInput,
  MailSent,
  Session,
  SignUpInput,
  UndoInput,
  Undone,
} from './schema.ts';
import { signInDeviceOf } from './session-cookie.ts';
import { signUp } from './sign-up.ts';
import { undoAddressChange } from './undo-address-change.ts';

/** /api/accounts/auth: signing in by email, and logging out. */
export const auth = new Hono<HonoEnv>()
  .post(
    '/signup/',
    describe({
      summary: msg`Creates an account and emails the link and the code that verify its address`,
      answers: { 201: MailSent },
      errors: ['mail_unavailable', ...suppressionCodes],
    }),
    jsonInput(SignUpInput),
    async (c) => {
      const { email, attempt } = await signUp(c.get('ctx'), c.req.valid('json'));
      keepAttempt(c, attempt);
      return c.json({ email } satisfies MailSent, 201);
    },
  )
  .post(
    '/login/',
    describe({
      summary: msg`Emails a login link and a code to the address of an account`,
      answers: { 200: MailSent },
      errors: ['account_not_found', 'email_not_verified', 'mail_unavailable', ...suppressionCodes],
    }),
    jsonInput(LoginInput),
    async (c) => {
      const { email, attempt, purpose } = await requestLoginLink(
        c.get('ctx'),
        c.req.valid('json'),
        c.get('deviceToken'),
      );
      keepAttempt(c, attempt);
      if (purpose === 'verification') {
        throw new AppError('email_not_verified');
      }
      return c.json({ email } satisfies MailSent);
    },
  )
  .post(
    '/confirm/',
    describe({
      summary: msg`Uses an emailed link or its code and logs the browser in`,
      answers: { 200: Confirmed },
      errors: ['link_invalid', 'code_used_up'],
    }),
    jsonInput(ConfirmInput),
    async (c) => {
      const { token, code } = c.req.valid('json');
      const [ctx, device] = [c.get('ctx'), signInDeviceOf(c)];
      c.set(
        'sessionToken',
        code !== undefined && token === undefined
          ? await confirmCode(ctx, { code, attempt: attemptOf(c) }, device)
          : // Both together are no valid token.
            await confirmLink(ctx, code === undefined ? token : null, device),
      );
      return c.json({ redirect_to: takeReturnPath(c) } satisfies Confirmed);
    },
  )
  .post(
    '/undo-address-change/',
    describe({
      summary: msg`Stops a pending address change or restores the account’s former address, using an emailed link`,
      answers: { 200: Undone },
      errors: ['link_invalid', 'address_taken'],
    }),
    jsonInput(UndoInput),
    async (c) => {
      const { token } = c.req.valid('json');
      const outcome = await undoAddressChange(c.get('ctx'), token, c.get('deviceToken'));
      return c.json({ outcome } satisfies Undone);
    },
  )
  .post(
    '/logout/',
    describe({
      summary: msg`Ends the session of this browser; without one nothing happens`,
      answers: { 204: null },
    }),
    async (c) => {
      await logOut(c.get('ctx'), c.get('sessionToken') ?? '');
      c.set('sessionToken', null);
      return c.body(null, 204);
    },
  )
  .get(
    '/user/',
    describe({ summary: msg`The logged-in account`, answers: { 200: Account } }),
    requireViewer(),
    (c) => c.json(toAccount(c.get('viewerCtx').viewer)),
  );

/** /api/accounts/auth/sessions: the caller's sessions. */
export const sessionRoutes = new Hono<HonoEnv>()
  .get(
    '/',
    describe({
      summary: msg`The caller’s sessions, most recently used first`,
      answers: { 200: z.array(Session) },
    }),
    requireViewer(() => ({ sessions: listSessions })),
    (c) => c.json(c.get('own').sessions),
  )
  .delete(
    '/:id/',
    describe({
      summary: msg`Ends one session; “current” and “others” also serve as ids`,
      answers: { 204: null },
    }),
    requireViewer(),
    async (c) => {
      const which = c.req.param('id');
      if (await endSessions(c.get('viewerCtx'), which, c.get('deviceToken'))) {
        c.set('sessionToken', null);
      }
      return c.body(null, 204);
    },
  );
