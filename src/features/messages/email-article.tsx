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
    <article className="card email-preview overflow-hidden p-0 wrap-anywhere" data-sentry-mask>
      <dl className="grid gap-1 border-line border-b px-5 py-4">
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
