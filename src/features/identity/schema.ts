import * as z from 'zod/mini';
import { emailAddress, NamesInput } from './account-schema.ts';

export const SignUpInput = z.extend(NamesInput, { email: emailAddress('email_required') });
export type SignUpInput = z.output<typeof SignUpInput>;

export const LoginInput = z.strictObject({
  email: emailAddress('login_email_required'),
});
export type LoginInput = z.output<typeof LoginInput>;

const token = z.optional(z.unknown().check(z.meta({ type: 'string' })));

/** A token or a code. Accepts any of either, because all invalid ones get the same answer. */
export const ConfirmInput = z.strictObject({
  token,
  code: z.optional(
    z.unknown().check(
      z.meta({
        type: 'string',
        description: 'The six digits in the email, in the browser that asked; not with a token',
      }),
    ),
  ),
});

/** Accepts any token, because all invalid ones get the same answer. */
export const UndoInput = z.strictObject({ token });

/** The answer to sign-up and login: the address that the email went to. */
export const MailSent = z.object({ email: z.string() });
export type MailSent = z.infer<typeof MailSent>;

/** The answer to a used link or code: the page to continue to. */
export const Confirmed = z.object({ redirect_to: z.string() });
export type Confirmed = z.infer<typeof Confirmed>;

/** The answer to an undone address change. */
export const Undone = z.object({
  outcome: z
    .enum(['stopped', 'restored'])
    .check(
      z.describe(
        'stopped: the change will not happen. restored: the account has its former address again, and all of its sessions have ended',
      ),
    ),
});
export type Undone = z.infer<typeof Undone>;

/** A session, as its user sees it. */
export const Session = z.object({
  id: z.uuid(),
  created_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime(),
  user_agent: z.string(),
  /** Whether it is the session of this request. */
  is_current: z.boolean(),
});
export type Session = z.infer<typeof Session>;

/** The answer to the start of a Google sign-in: the URL to go to. */
export const GoogleStarted = z.object({ redirect_url: z.url() });
export type GoogleStarted = z.infer<typeof GoogleStarted>;
