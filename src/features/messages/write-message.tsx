import { useLingui } from '@lingui/react/macro';
import { messageFormMessages } from './form-messages.ts';
import { MessageForm } from './message-form.tsx';

type WriteMessageProps = { cohort: { id: string; language: string } };

/** What an instructor writes to everyone who is enrolled. */
export function WriteMessage({ cohort: { id, language } }: WriteMessageProps) {
  const { i18n, t } = useLingui();
  return (
    <MessageForm
      cohortId={id}
      language={language}
      messages={messageFormMessages(i18n)}
      texts={{
        subject: t`Subject`,
        subjectHint: t`The cohort’s name is added to it.`,
        text: t`Message`,
        textHint: t`Plain text, up to 5,000 characters. Replies go to your email address.`,
        show: t`Show email`,
        showing: t`One moment…`,
        title: t`Before it goes out`,
        from: t`From`,
        repliesTo: t`Replies go to`,
        subjectLine: t`Subject`,
        sending: t`Sending…`,
        done: t`Your message goes out in the next few minutes.`,
      }}
    />
  );
}
