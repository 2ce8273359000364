import type { EmailPreview } from '#features/letters/schema.ts';
import { EmailFrame } from './email-frame.tsx';

export type EmailLabels = { from: string; repliesTo: string; subjectLine: string };

type EmailArticleProps = {
  email: Pick<EmailPreview, 'from' | 'reply_to' | 'subject' | 'text' | 'html'>;
  /** The language of the cohort, in which its emails are. */
  language: string;
  labels: EmailLabels;
};

/** An email as people get it. */
export function EmailArticle({ email, language, labels }: EmailArticleProps) {
  return (
    <article className="card email-preview" data-sentry-mask>
      <dl>
        <div>
          <dt>{labels.from}</dt>
          <dd>
            <bdi>{email.from}</bdi>
          </dd>
        </div>
        <div>
          <dt>{labels.repliesTo}</dt>
          <dd>{email.reply_to}</dd>
        </div>
        <div>
          <dt>{labels.subjectLine}</dt>
          <dd lang={language} dir="auto">
            <strong>{email.subject}</strong>
          </dd>
        </div>
      </dl>
      <EmailFrame html={email.html} title={email.subject}>
        <div lang={language} dir="auto">
          {email.text}
        </div>
      </EmailFrame>
    </article>
  );
}
