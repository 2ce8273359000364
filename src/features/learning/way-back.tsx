import { Trans, useLingui } from '@lingui/react/macro';
import { EmailField } from '#features/enrolling/email-field.tsx';
import { peopleMessages } from '#features/places/form-messages.ts';
import { Field, SubmitButton } from '#ui/form.tsx';
import { NeedsScripts } from '#ui/needs-scripts.tsx';
import { Outcome } from '#ui/outcome.tsx';
import { WayBackForm } from './way-back-form.tsx';

/**
 * How someone comes to their lessons in a browser that does not know them.
 *
 * @param courseId the course whose page it stands on; null without one, where an address says too
 *   little: each instructor knows their own people
 */
export function WayBack({ courseId }: { courseId: string | null }) {
  const { i18n, t } = useLingui();
  if (courseId === null) {
    return (
      <p>
        <Trans>
          Open one of the emails about your course and follow its link. There you’ll find the button
          “Open the course”.
        </Trans>
      </p>
    );
  }
  return (
    <>
      <NeedsScripts />
      <WayBackForm
        courseId={courseId}
        messages={peopleMessages(i18n)}
        sent={
          <Outcome title={t`Check your email`}>
            <Trans>If you take part, we’ve emailed you a link and a code. Use either one.</Trans>
          </Outcome>
        }
        code={
          <>
            <Field
              name="code"
              label={t`Six-digit code`}
              hint={t`It works for 10 minutes, in this window.`}
              inputMode="numeric"
              autoComplete="one-time-code"
              required
            />
            <SubmitButton label={t`Open the course`} pendingLabel={t`One moment…`} />
          </>
        }
        again={t`Use another address, or send the email again`}
      >
        <EmailField label={t`Email address`} />
        <SubmitButton label={t`Email me a link`} pendingLabel={t`Sending…`} />
      </WayBackForm>
    </>
  );
}
