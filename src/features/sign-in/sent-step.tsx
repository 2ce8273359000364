import { Trans, useLingui } from '@lingui/react/macro';
import type { FormMessages } from '#i18n/validation.ts';
import { CheckYourEmail } from './check-your-email.tsx';
import { MailedTo, type MailPurpose } from './mail-form.tsx';

type SentStepProps = { purpose: MailPurpose; title: string; messages: FormMessages };

/** The texts of the step after an email was sent. */
export function SentStep({ purpose, title, messages }: SentStepProps) {
  const { t } = useLingui();
  const { intro, hint, submit } = {
    login: {
      intro: (
        <Trans>
          We’ve sent a login link and a code to <MailedTo />
        </Trans>
      ),
      hint: t`Or click the link in the email. Both work once and expire in 10 minutes.`,
      submit: t`Log in`,
    },
    verification: {
      intro: (
        <Trans>
          We’ve sent a confirmation link and a code to <MailedTo />
        </Trans>
      ),
      hint: t`Or click the link in the email. The code expires in 10 minutes, the link in 24 hours.`,
      submit: t`Confirm and log in`,
    },
  }[purpose];
  return (
    <CheckYourEmail
      title={title}
      intro={intro}
      back={t`Back`}
      code={{
        label: t`Six-digit code`,
        hint,
        submit,
        pending: t`One moment…`,
        incomplete: t`Please enter all six digits.`,
        resending: t`Sending…`,
        resent: t`Sent again.`,
        resend: t`Didn’t get it? Check your spam folder or <0>resend the email</0>.`,
      }}
      messages={messages}
      foot={t`Only the link and the code in the latest email work.`}
    />
  );
}
