import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { type LoginErrorCode, loginErrorCodes } from '#paths.ts';
import { errors } from '#vocabulary.ts';

/** A failed sign-in with Google, for any reason. */
export const googleFailed = msg`Google authentication failed, consider using email login to continue.`;

const messages = {
  invalid_state: googleFailed,
  email_not_verified: msg`Your Gmail account has not been verified, consider using email login to continue.`,
  auth_failed: googleFailed,
} satisfies Record<LoginErrorCode, typeof googleFailed>;

/**
 * Why the user was redirected to /login. Unknown codes in the URL show nothing.
 *
 * @param props.code the query parameter `error`; null without one
 */
export function LoginError({ code }: { code: string | null }) {
  const { i18n } = useLingui();
  if (code === null) {
    return null;
  }
  const error = loginErrorCodes.find((candidate) => candidate === code);
  return (
    <div role="alert" className="alert mb-6">
      {i18n._(error ? messages[error] : errors.internal.text)}
    </div>
  );
}
