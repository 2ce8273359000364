import type { I18n } from '@lingui/core';
import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { WithoutNote } from '#features/planning/notify-fields.tsx';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { type FormMessages, formMessages } from '#i18n/validation.ts';
import { validationTexts } from '#vocabulary.ts';
import { AnnounceForm } from './announce-form.tsx';
import { MessageForm } from './message-form.tsx';
import { validation } from './vocabulary.ts';

/** What an instructor writes to everyone who is enrolled. */
export function WriteMessage({ cohort: { id, language } }: { cohort: OwnCohort }) {
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
        show: t`Preview email`,
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

type AnnounceProps = {
  cohort: OwnCohort;
  /** How many live sessions differ from what people know, or are new to them. */
  changes: number;
};

/** Lists changes that people do not know of yet, with a form that tells them; else nothing. */
export function AnnounceChanges({ cohort, changes }: AnnounceProps) {
  const { i18n, t } = useLingui();
  const people = cohort.counts.enrolled;
  if (changes === 0 || people === 0) {
    return null;
  }
  return (
    <section aria-labelledby="announce" className="card announce">
      <h2 id="announce">
        <Plural value={changes} one="# change not announced" other="# changes not announced" />
      </h2>
      <p>
        <Trans>
          People who are enrolled get one email about new, moved and canceled live sessions.
        </Trans>
      </p>
      <AnnounceForm
        cohortId={cohort.id}
        messages={messageFormMessages(i18n)}
        texts={{
          note: t`Note in that email`,
          noteHint: t`Up to 500 characters. Leave empty for none.`,
          send: t`${plural(people, { one: 'Tell # person', other: 'Tell # people' })}`,
          sending: t`One moment…`,
          done: t`The email goes out in the next few minutes.`,
        }}
      >
        {cohort.isWithoutNotes && <WithoutNote />}
      </AnnounceForm>
    </section>
  );
}

const { text_characters, person_note_too_long } = validationTexts;

const texts = { ...validation, text_characters, person_note_too_long };

export function messageFormMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, texts);
}
