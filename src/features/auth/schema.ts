import * as z from 'zod/mini';
import { emailAddress, personName } from '#features/accounts/schema.ts';

export const SignUpInput = z.strictObject({
  first_name: personName('first_name_required'),
  last_name: personName('last_name_required'),
  email: emailAddress('email_required'),
});
export type SignUpInput = z.output<typeof SignUpInput>;

export const LoginInput = z.strictObject({
  email: emailAddress('login_email_required'),
});
export type LoginInput = z.output<typeof LoginInput>;

/** Any token is well formed here: what is wrong with it makes no difference to the answer. */
export const ConfirmInput = z.strictObject({ token: z.optional(z.unknown()) });
export type ConfirmInput = z.output<typeof ConfirmInput>;

/** The answer to sign-up and login: where the mail went. */
export const MailSent = z.object({ email: z.string() });
export type MailSent = z.infer<typeof MailSent>;

/** The answer to a spent link: the page to go on to. */
export const Confirmed = z.object({ redirect_to: z.string() });
export type Confirmed = z.infer<typeof Confirmed>;

/**
 * The answer to an undone address change: one that waited was stopped, or the account is back at
 * its former address.
 */
export const Undone = z.object({ outcome: z.enum(['stopped', 'restored']) });
export type Undone = z.infer<typeof Undone>;

/** A browser that is signed in, as its owner sees it. */
export const Session = z.object({
  id: z.uuid(),
  created_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime(),
  /** What the browser called itself when it signed in. */
  user_agent: z.string(),
  /** Whether it is the one that asks. */
  is_current: z.boolean(),
});
export type Session = z.infer<typeof Session>;

/** The answer to the start of a Google sign-in: where the browser is to go. */
export const GoogleStarted = z.object({ redirect_url: z.url() });
export type GoogleStarted = z.infer<typeof GoogleStarted>;
