import type { I18n } from '@lingui/core';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import { ShowFailures } from '#client/show-failures.tsx';
import type { Context } from '#context.ts';
import type { ReportsProps } from '#features/error-reports/reports.tsx';
import { SignInLayout } from '#features/frames/sign-in-layout.tsx';
import { failureTexts } from '#i18n/failures.ts';
import { paths, serverPaths } from '#paths.ts';
import { authMessages } from './form-messages.ts';
import { GoogleButton } from './google-button.tsx';
import { GoogleMark } from './google-mark.tsx';
import { googleFailed } from './login-error.tsx';
import { MailForm } from './mail-form.tsx';
import { TakenAddress } from './other-page-link.tsx';
import { SentStep } from './sent-step.tsx';
import { WayBack } from './way-back.tsx';

type AuthPageProps = Pick<ComponentProps<typeof MailForm>, 'kind' | 'notes' | 'heading'> & {
  /** The page's result of `requireNobody()`. */
  request: ReportsProps['request'] & { ctx: Context; i18n: I18n; returnPath: string | null };
  title: string;
  /** The link to the other page: sign-up or login. */
  otherPage: ReactNode;
  /** The title of the step after the email was sent. */
  sentTitle: string;
  children: ReactNode;
};

/** The parts that /login and /signup share. */
export function AuthPage({ request, title, otherPage, sentTitle, ...form }: AuthPageProps) {
  const { ctx, i18n } = request;
  const { t } = useLingui();
  const messages = authMessages(i18n);
  return (
    <SignInLayout
      request={request}
      audience={t`For your courses, self-paced or in cohorts`}
      hasForm
    >
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
            <p className="divider my-6">{t`or`}</p>
            <GoogleButton
              googleOrigin={new URL(ctx.config.google.authorizationUrl).origin}
              pendingLabel={t`Taking you to Google…`}
              failed={i18n._(googleFailed)}
            >
              <span className="google-label">
                <Trans>Continue with Google</Trans>
                <GoogleMark />
              </span>
            </GoogleButton>
            <p className="mt-8">{otherPage}</p>
            <TakenAddress key={form.kind} />
            <p className="frame-foot">
              <Trans>
                By continuing, you agree to our{' '}
                <a href={serverPaths.terms} className="link">
                  terms of use
                </a>
                . Our{' '}
                <a href={serverPaths.privacy} className="link">
                  privacy page
                </a>{' '}
                explains what we store.
              </Trans>
            </p>
          </>
        }
        sent={{
          login: <SentStep purpose="login" title={sentTitle} messages={messages} />,
          verification: <SentStep purpose="verification" title={sentTitle} messages={messages} />,
        }}
      />
      <ShowFailures texts={failureTexts(i18n)} viewerId={null} />
      <WayBack returnPath={request.returnPath} home={paths.home} />
    </SignInLayout>
  );
}
