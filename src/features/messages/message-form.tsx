'use client';

import { useEffect, useRef, useState } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { callApi } from '#client/call-api.ts';
import { checkBySchema } from '#client/check-by-schema.ts';
import { leaveFor } from '#client/leave.ts';
import { giveUpChanges } from '#client/unsaved.ts';
import type { MessageAudience } from '#db/values.ts';
import { PlanForm } from '#features/cohorts/plan-form.tsx';
import type { EmailPreview } from '#features/letters/schema.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { type Numbered, withNumber } from '#lib/numbered-texts.ts';
import { emailPaths } from '#paths.ts';
import { Field } from '#ui/form.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { useInBrowser } from '#ui/use-in-browser.ts';
import { type ReadField, useTyped } from '#ui/use-typed.ts';
import { EmailArticle, type EmailLabels } from './email-article.tsx';
import { Picks } from './picks.tsx';
import type { MessageInput, MessagePreview } from './schema.ts';

type MessageFormProps = {
  cohortId: string;
  /** The language of the cohort, in which its emails are. */
  language: string;
  /** The viewer's. */
  locale: string;
  messages: FormMessages;
  /** Whom it can be for, with how many they are. */
  audiences: { value: MessageAudience; label: string; count: number }[];
  /** Whom it is for at first. */
  first: MessageAudience;
  /** Who was chosen in the roster. */
  chosen: readonly string[];
  /** What is shown until something is typed. */
  sample: EmailPreview & { typed: { subject: string; text: string } };
  texts: EmailLabels &
    Record<'to' | 'subject' | 'subjectHint' | 'text' | 'textHint' | 'show' | 'showing', string> &
    Record<'theySee' | 'title' | 'sending', string> & { done: Numbered };
};

const check = checkBySchema(() => import('./schema.ts').then(({ MessageInput }) => MessageInput));

/** Writes to people of a cohort, after showing the email. */
export function MessageForm(props: MessageFormProps) {
  const { cohortId, language, locale, messages, audiences, first, chosen, texts } = props;
  const inputOf = ({ audience = first, subject = '', text = '' }: Record<string, string>) => ({
    // Of the radios.
    audience: audience as MessageAudience,
    enrollments: audience === 'chosen' ? [...chosen] : [],
    subject,
    text,
  });
  const path = `/api/cohorts/${cohortId}/messages/` as const;
  const isWide = useInBrowser(() => matchMedia(wide).matches, false, onWidth);
  const { email, setEmail, follow } = useLiveEmail(path, props.sample, inputOf);
  const form = (
    <PlanForm
      path={path}
      proposed={{ audience: first, subject: '', text: '' }}
      messages={messages}
      texts={texts}
      check={(values) => check(inputOf(values))}
      toPreview={(values) => ({ ...inputOf(values), dry_run: true })}
      toShown={(data, values) => {
        const preview = data as MessagePreview;
        setEmail(preview.email);
        return { values, preview, key: crypto.randomUUID() };
      }}
      planned={({ values, preview, key }, isRefused) => (
        <div className="emails">
          <h2>{texts.title}</h2>
          <p>{preview.summary}</p>
          {!isWide && <EmailArticle email={preview.email} language={language} labels={texts} />}
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
      {isWide && <Follower follow={follow} />}
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
  return (
    <div className="beside-email">
      {form}
      {isWide && (
        <section aria-labelledby="they-see">
          <p id="they-see" className="label">
            {texts.theySee}
          </p>
          <EmailArticle email={email} language={language} labels={texts} />
        </section>
      )}
    </div>
  );
}

/** Where the email has room beside the form; as in people.css. */
const wide = '(min-width: 80rem)';

function onWidth(readAgain: () => void): () => void {
  const query = matchMedia(wide);
  query.addEventListener('change', readAgain);
  return () => query.removeEventListener('change', readAgain);
}

const pauseMs = 500;

/** The email as it would be of what is typed, once the typing pauses. */
function useLiveEmail(
  path: `/api/cohorts/${string}/messages/`,
  sample: MessageFormProps['sample'],
  inputOf: (values: Record<string, string>) => Omit<MessageInput, 'dry_run'>,
) {
  const [email, setEmail] = useState<MessagePreview['email']>(sample);
  const latest = useRef({ timer: 0, key: '' });
  function follow(read: ReadField) {
    const [subject, text] = [read('subject').trim(), read('text').trim()];
    const input = inputOf({
      audience: read('audience'),
      subject: subject || sample.typed.subject,
      text: text || sample.typed.text,
    });
    const key = JSON.stringify(input);
    if (key === latest.current.key) {
      return;
    }
    latest.current.key = key;
    clearTimeout(latest.current.timer);
    if (subject === '' && text === '') {
      setEmail(sample);
      return;
    }
    latest.current.timer = window.setTimeout(async () => {
      const result = await callApi(path, { input: { ...input, dry_run: true } });
      // Only for the latest input; a refusal is shown on submit.
      if (result.ok && key === latest.current.key && 'email' in result.data) {
        setEmail(result.data.email);
      }
    }, pauseMs);
  }
  useEffect(() => () => clearTimeout(latest.current.timer), []);
  return { email, setEmail, follow };
}

/** Reads the form that it is in, also when its fields are filled again. */
function Follower({ follow }: { follow: (read: ReadField) => void }) {
  return <div ref={useTyped(follow)} hidden />;
}
