import { Trans, useLingui } from '@lingui/react/macro';
import type { EmailPreview } from '#features/letters/schema.ts';
import { EmailArticle } from '#features/messages/email-article.tsx';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { emailPaths } from '#paths.ts';
import { SendPreviewButton } from './send-preview-button.tsx';

type PreviewProps = { cohort: OwnCohort; preview: EmailPreview; address: string };

/** An email as people get it, and a way to get it oneself. */
export function Preview({ cohort, preview, address }: PreviewProps) {
  const { t } = useLingui();
  const to = <strong>{address}</strong>;
  return (
    <div className="emails">
      <p className="text-muted">
        {cohort.kind === 'open' ? (
          <Trans>
            This is what people read, in the course’s language. Each email has the person’s own name
            and link.
          </Trans>
        ) : (
          <Trans>
            This is what people read, in the cohort’s language. Each email has the person’s own
            name, dates and link.
          </Trans>
        )}
      </p>
      <EmailArticle
        email={preview}
        language={cohort.language}
        labels={{ from: t`From`, repliesTo: t`Replies go to`, subjectLine: t`Subject` }}
      />
      <div>
        <div className="actions">
          <SendPreviewButton
            path={emailPaths.send(cohort.id, preview.kind)}
            pendingLabel={t`Sending…`}
            done={t`The email is on its way to you.`}
          >
            <Trans>Send to me</Trans>
          </SendPreviewButton>
          <a className="button button-quiet" href={emailPaths.page(cohort.id)}>{t`All emails`}</a>
        </div>
        <p className="hint mt-4">
          <Trans>It goes only to {to}, looking exactly as people will get it.</Trans>
        </p>
      </div>
    </div>
  );
}
