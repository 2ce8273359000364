'use client';

import { ActionButton } from '#client/action-button.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { leaveFor } from '#client/leave.ts';
import { giveUpChanges } from '#client/unsaved.ts';
import { PlanForm } from '#features/cohorts/plan-form.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { emailPaths } from '#paths.ts';
import { Field } from '#ui/form.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { EmailArticle, type EmailLabels } from './email-article.tsx';
import type { MessagePreview } from './schema.ts';

type MessageFormProps = {
  cohortId: string;
  /** The language of the cohort, in which its emails are. */
  language: string;
  messages: FormMessages;
  texts: EmailLabels &
    Record<'subject' | 'subjectHint' | 'text' | 'textHint' | 'show' | 'showing', string> &
    Record<'title' | 'sending' | 'done', string>;
};

const check = checkBySchema(() => import('./schema.ts').then(({ MessageInput }) => MessageInput));

/** Writes to everyone who is enrolled, after showing the email. */
export function MessageForm({ cohortId, language, messages, texts }: MessageFormProps) {
  const path = `/api/cohorts/${cohortId}/messages/` as const;
  return (
    <PlanForm
      path={path}
      proposed={{ subject: '', text: '' }}
      messages={messages}
      texts={texts}
      check={(values) => check(inputOf(values))}
      toPreview={(values) => ({ ...inputOf(values), dry_run: true })}
      toShown={(data, values) => ({
        values,
        preview: data as MessagePreview,
        key: crypto.randomUUID(),
      })}
      planned={({ values, preview, key }, isRefused) => (
        <div className="emails">
          <h2>{texts.title}</h2>
          <p>{preview.summary}</p>
          <EmailArticle email={preview.email} language={language} labels={texts} />
          <div className="actions">
            <ActionButton
              path={path}
              call={{ input: inputOf(values), idempotencyKey: key }}
              pendingLabel={texts.sending}
              className="button button-primary"
              onFailure={isRefused}
              onDone={() => {
                giveUpChanges();
                return leaveFor(emailPaths.page(cohortId), texts.done);
              }}
            >
              {preview.action}
            </ActionButton>
          </div>
        </div>
      )}
    >
      <Field
        label={texts.subject}
        name="subject"
        hint={texts.subjectHint}
        dir="auto"
        autoComplete="off"
        required
      />
      <TextArea
        label={texts.text}
        name="text"
        hint={texts.textHint}
        rows={12}
        dir="auto"
        required
      />
    </PlanForm>
  );
}

function inputOf({ subject = '', text = '' }: Record<string, string>) {
  return { subject, text };
}
