'use client';

import { ActionButton } from '#client/action-button.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { leaveFor } from '#client/leave.ts';
import { giveUpChanges } from '#client/unsaved.ts';
import type { MessageAudience } from '#db/values.ts';
import { PlanForm } from '#features/cohorts/plan-form.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { type Numbered, withNumber } from '#lib/numbered-texts.ts';
import { emailPaths } from '#paths.ts';
import { Field } from '#ui/form.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { EmailArticle, type EmailLabels } from './email-article.tsx';
import { Picks } from './picks.tsx';
import type { MessagePreview } from './schema.ts';

type MessageFormProps = {
  cohortId: string;
  /** The language of the cohort, in which its emails are. */
  language: string;
  /** The viewer's. */
  locale: string;
  messages: FormMessages;
  /** Whom it can be for, with how many they are. */
  audiences: { value: MessageAudience; label: string; count: number }[];
  /** Who was chosen in the roster. */
  chosen: readonly string[];
  texts: EmailLabels &
    Record<'to' | 'subject' | 'subjectHint' | 'text' | 'textHint' | 'show' | 'showing', string> &
    Record<'title' | 'sending', string> & { done: Numbered };
};

const check = checkBySchema(() => import('./schema.ts').then(({ MessageInput }) => MessageInput));

/** Writes to people of a cohort, after showing the email. */
export function MessageForm(props: MessageFormProps) {
  const { cohortId, language, locale, messages, audiences, chosen, texts } = props;
  const first = chosen.length > 0 ? 'chosen' : 'enrolled';
  const inputOf = ({ audience = first, subject = '', text = '' }: Record<string, string>) => ({
    // Of the radios.
    audience: audience as MessageAudience,
    enrollments: audience === 'chosen' ? [...chosen] : [],
    subject,
    text,
  });
  const path = `/api/cohorts/${cohortId}/messages/` as const;
  return (
    <PlanForm
      path={path}
      proposed={{ audience: first, subject: '', text: '' }}
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
                return leaveFor(
                  emailPaths.page(cohortId),
                  withNumber(texts.done, preview.recipients, locale),
                );
              }}
            >
              {preview.action}
            </ActionButton>
          </div>
        </div>
      )}
    >
      <Picks legend={texts.to} name="audience" options={audiences} defaultValue={first} />
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
