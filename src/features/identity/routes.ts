import 'server-only';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { createFactory } from 'hono/factory';
import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { describe } from '#api/describe.ts';
import { jsonInput } from '#api/json-input.ts';
import { isHead } from '#api/request.ts';
import { suppressionCodes } from '#features/suppression/suppression-list.ts';
import { AppError } from '#lib/app-error.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { Account, AccountInput, AccountPatch } from './account-schema.ts';
import { changeAccount } from './change-account.ts';
import { confirmCode, confirmLink } from './confirm.ts';
import { deleteAccount } from './delete-account.ts';
import { AccountExport, exportAccount } from './export-account.ts';
import { getAccount, toAccount } from './get-account.ts';
import { requestLoginLink } from './request-login-link.ts';
import { requireViewer } from './require-viewer.ts';
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
import { attemptOf, keepAttempt, signInDeviceOf, takeReturnPath } from './session-cookie.ts';
import { endSessions, findSessions, logOut, toSessions } from './sessions.ts';
import { signUp } from './sign-up.ts';
import { undoAddressChange } from './undo-address-change.ts';

/** What creates an account, which has two addresses. */
function signUpRoute(summary: MessageDescriptor) {
  return createFactory<HonoEnv>().createHandlers(
    describe({
      summary,
      answers: { 201: MailSent },
      errors: ['mail_unavailable', ...suppressionCodes],
    }),
    jsonInput(SignUpInput),
    async (c) => {
      const { email, attempt } = await signUp(c.get('ctx'), c.req.valid('json'));
      keepAttempt(c, attempt);
      return c.json({ email } satisfies MailSent, 201);
    },
  );
}

/** /api/accounts/auth: signing in by email, and logging out. */
export const auth = new Hono<HonoEnv>()
  .post(
    '/signup/',
    ...signUpRoute(
      msg`Creates an account and emails the link and the code that verify its address`,
    ),
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
    requireViewer(() => ({ rows: findSessions })),
    (c) => c.json(toSessions(c.get('own').rows, c.get('viewerCtx').viewer)),
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

const addressChangeErrors = ['proof_required', 'mail_unavailable', ...suppressionCodes] as const;

/** /api/accounts: an account is a user; callers can access only their own. */
export const accounts = new Hono<HonoEnv>()
  .get(
    '/',
    describe({
      summary: msg`The accounts that the caller may see: their own`,
      answers: { 200: z.array(Account) },
    }),
    requireViewer(),
    (c) => c.json([toAccount(c.get('viewerCtx').viewer)]),
  )
  .post('/', ...signUpRoute(msg`Creates an account; the same as sign-up`))
  .get(
    '/:id/',
    describe({ summary: msg`The caller’s own account`, answers: { 200: Account } }),
    requireViewer(),
    (c) => c.json(getAccount(c.get('viewerCtx'), c.req.param('id'))),
  )
  .put(
    '/:id/',
    describe({
      summary: msg`Replaces names, language and email address; a new address must be confirmed first, and the current one cancels a pending change`,
      answers: { 200: Account },
      errors: [...addressChangeErrors],
    }),
    requireViewer(),
    jsonInput(AccountInput),
    async (c) =>
      c.json(await changeAccount(c.get('viewerCtx'), c.req.param('id'), c.req.valid('json'))),
  )
  .patch(
    '/:id/',
    describe({
      summary: msg`Changes names, language or email address; a new address must be confirmed first, and the current one cancels a pending change`,
      answers: { 200: Account },
      errors: [...addressChangeErrors],
    }),
    requireViewer(),
    jsonInput(AccountPatch),
    async (c) =>
      c.json(await changeAccount(c.get('viewerCtx'), c.req.param('id'), c.req.valid('json'))),
  )
  .delete(
    '/:id/',
    describe({
      summary: msg`Deletes the caller’s account and everything in it; requires a login within the last 15 minutes`,
      answers: { 204: null },
      errors: ['proof_required', 'refunds_under_way'],
    }),
    requireViewer(),
    async (c) => {
      await deleteAccount(c.get('viewerCtx'), c.req.param('id'));
      c.set('sessionToken', null);
      return c.body(null, 204);
    },
  )
  .get(
    '/:id/export/',
    describe({
      summary: msg`Everything stored about the caller, as a file; requires a login within the last 15 minutes`,
      answers: { 200: AccountExport },
      answerHeaders: { 'Content-Disposition': msg`attachment, with the name of a file` },
      errors: ['proof_required'],
    }),
    requireViewer(),
    async (c) => {
      if (isHead(c)) {
        getAccount(c.get('viewerCtx'), c.req.param('id'));
        return c.body(null, 200);
      }
      const everything = await exportAccount(c.get('viewerCtx'), c.req.param('id'));
      const day = everything.exported_at.slice(0, 10);
      c.header('Content-Disposition', `attachment; filename="lectern-${day}.json"`);
      return c.json(everything);
    },
  );
