import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { describe } from '#api/describe.ts';
import { jsonInput } from '#api/json-input.ts';
import { isHead } from '#api/request.ts';
import { suppressionCodes } from '#features/suppression/suppression-list.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { Account, AccountInput, AccountPatch } from './account-schema.ts';
import { keepAttempt } from './attempt-cookie.ts';
import { changeAccount } from './change-account.ts';
import { deleteAccount } from './delete-account.ts';
import { AccountExport, exportAccount } from './export-account.ts';
import { getAccount, toAccount } from './get-account.ts';
import { requireViewer } from './require-viewer.ts';
import { MailSent, SignUpInput } from './schema.ts';
import { signUp } from './sign-up.ts';

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
  .post(
    '/',
    describe({
      summary: msg`Creates an account; the same as sign-up`,
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
      errors: ['proof_required'],
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
