import type { I18n } from '@lingui/core';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import { ShowFailures } from '#client/show-failures.tsx';
import type { Context } from '#context.ts';
import type { ReportsProps } from '#features/error-reports/reports.tsx';
import { SignInLayout } from '#features/shell/sign-in-layout.tsx';
import { failureTexts } from '#i18n/failures.ts';
import { formMessages } from '#i18n/validation.ts';
import { paths } from '#paths.ts';
import { CheckYourEmail } from './check-your-email.tsx';
import { GoogleButton } from './google-button.tsx';
import { GoogleMark } from './google-mark.tsx';
import { googleFailed } from './login-error.tsx';
import { MailForm } from './mail-form.tsx';
import { TakenAddress } from './other-page-link.tsx';
import { WayBack } from './way-back.tsx';

type AuthPageProps = Pick<ComponentProps<typeof MailForm>, 'kind' | 'notes' | 'heading'> & {
  /** The page's result of `requireNobody()`. */
  request: ReportsProps['request'] & { ctx: Context; i18n: I18n; returnPath: string | null };
  title: string;
  /** The link to the other page: sign-up or login. */
  otherPage: ReactNode;
  /** What to do after the email was sent. */
  sent: { title: string; text: ReactNode };
  children: ReactNode;
};

/** The parts that /login and /signup share. */
export function AuthPage({ request, title, otherPage, sent, ...form }: AuthPageProps) {
  const { ctx, i18n } = request;
  const { t } = useLingui();
  const messages = formMessages(i18n);
  return (
    <SignInLayout request={request} hasForm>
      <meta
        name="description"
        content={t`Create and run your courses with Lectern, self-paced or in cohorts.`}
      />
      <title>{title}</title>
      <MailForm
        // Prevents React from reusing the form of the other page.
        key={form.kind}
        {...form}
        messages={messages}
        footer={
          <>
            <p className="divider">
              <Trans>or</Trans>
            </p>
            <GoogleButton
              googleOrigin={new URL(ctx.config.google.authorizationUrl).origin}
              pendingLabel={t`Taking you to Google…`}
              failed={i18n._(googleFailed)}
            >
              <span className="google-label">
                <GoogleMark />
                <Trans>Continue with Google</Trans>
              </span>
            </GoogleButton>
            <p className="frame-other">{otherPage}</p>
            <TakenAddress key={form.kind} />
            <p className="frame-foot">
              <Trans>
                By continuing, you agree to our{' '}
                <a href={paths.terms} className="link">
                  terms of use
                </a>
                . Our{' '}
                <a href={paths.privacy} className="link">
                  privacy page
                </a>{' '}
                explains what we store.
              </Trans>
            </p>
          </>
        }
        sent={
          <CheckYourEmail
            title={sent.title}
            texts={{
              sendAgain: t`Resend email`,
              sending: t`Sending…`,
              sent: t`Sent again. Only the link in the latest email works.`,
              back: t`Back`,
            }}
            messages={messages}
          >
            <p className="mt-4">{sent.text}</p>
            <p className="mt-4 mb-6 text-muted">
              <Trans>Didn’t get it? Check your spam folder or resend the email.</Trans>
            </p>
          </CheckYourEmail>
        }
      />
      <ShowFailures texts={failureTexts(i18n)} viewerId={null} />
      <WayBack returnPath={request.returnPath} home={paths.home} />
    </SignInLayout>
  );
}
