import type { EmailPreview } from '#features/letters/schema.ts';

export type EmailLabels = { from: string; repliesTo: string; subjectLine: string };

type EmailArticleProps = {
  email: Pick<EmailPreview, 'from' | 'reply_to' | 'subject' | 'text'>;
  /** The language of the cohort, in which its emails are. */
  language: string;
  labels: EmailLabels;
};

/** An email as people get it, as text. */
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
      <div lang={language} dir="auto">
        {email.text}
      </div>
    </article>
  );
}
