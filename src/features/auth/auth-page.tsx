import type { I18n } from '@lingui/core';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import type { Context } from '#context.ts';
import type { ReportsProps } from '#features/error-reports/reports.tsx';
import { LanguageChoice } from '#features/language/language-choice.tsx';
import { SignInLayout } from '#features/shell/sign-in-layout.tsx';
import { formMessages } from '#i18n/validation.ts';
import { paths } from '#paths.ts';
import { Toasts } from '#ui/toast.tsx';
import { GoogleButton } from './google-button.tsx';
import { GoogleMark } from './google-mark.tsx';
import { googleFailed } from './login-error.tsx';
import { MailForm } from './mail-form.tsx';
import { SentStep } from './sent-step.tsx';

type AuthPageProps = Pick<ComponentProps<typeof MailForm>, 'kind' | 'notes' | 'heading'> & {
  /** The page's result of `requireNobody()`. */
  request: ReportsProps['request'] & { ctx: Context; i18n: I18n };
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
  const messages = formMessages(i18n);
  return (
    <SignInLayout
      request={request}
      corner={<LanguageChoice />}
      promise={{
        title: t`A calm place to build and run your courses.`,
        points: [
          t`Evergreen courses: students start any time and learn at their own pace.`,
          t`Cohorts: one group, learning together from first day to last.`,
          t`No passwords: we email you a link to log in.`,
        ],
      }}
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
            <p className="divider my-6 text-sm text-muted">
              <Trans>or</Trans>
            </p>
            <GoogleButton
              googleOrigin={new URL(ctx.config.google.authorizationUrl).origin}
              pendingLabel={t`Taking you to Google…`}
              failed={i18n._(googleFailed)}
            >
              <GoogleMark />
              <Trans>Continue with Google</Trans>
            </GoogleButton>
            <p className="mt-8 text-center">{otherPage}</p>
            <p className="mt-6 text-center text-sm text-muted">
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
        sent={{
          login: <SentStep purpose="login" title={sentTitle} messages={messages} />,
          verification: <SentStep purpose="verification" title={sentTitle} messages={messages} />,
        }}
      />
      <Toasts close={t`Close`} />
    </SignInLayout>
  );
}
