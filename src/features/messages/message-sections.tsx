import type { I18n } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { type MessageAudience, messageAudiences } from '#db/values.ts';
import { ChangeButton } from '#features/cohorts/cohort-button.tsx';
import { WithoutNote } from '#features/planning/notify-fields.tsx';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { type FormMessages, formMessages } from '#i18n/validation.ts';
import { numbered } from '#lib/numbered-texts.ts';
import { emailPaths } from '#paths.ts';
import { Dialog, OpenButton } from '#ui/dialog.tsx';
import { validationTexts } from '#vocabulary.ts';
import { AnnounceForm } from './announce-form.tsx';
import { audienceWords } from './audience-words.ts';
import type { AudienceCounts } from './audiences.ts';
import { MessageForm } from './message-form.tsx';
import type { sampleMessage } from './send-message.ts';
import { validation } from './vocabulary.ts';

type WriteProps = {
  cohort: OwnCohort;
  counts: AudienceCounts;
  /** Whom it is for at first, and who was chosen in the roster. */
  first: MessageAudience;
  chosen: readonly string[];
  sample: Awaited<ReturnType<typeof sampleMessage>>;
};

/** What an instructor writes to people of a cohort. */
export function WriteMessage({ cohort, counts, first, chosen, sample }: WriteProps) {
  const { id, language } = cohort;
  const { i18n, t } = useLingui();
  const audiences = messageAudiences
    .filter((value) => value === 'enrolled' || counts[value] !== 0)
    .map((value) => ({ value, label: i18n._(audienceWords[value]), count: counts[value] }));
  // Not everyone enrolled instead: the instructor didn't choose them.
  if (chosen.length > 0 && counts.chosen === 0) {
    return (
      <p className="notice">
        <Trans>
          The people you chose can’t get a message: it reaches people who are enrolled, have been
          offered a place, or are on the waitlist.
        </Trans>
      </p>
    );
  }
  return (
    <MessageForm
      cohortId={id}
      language={language}
      locale={i18n.locale}
      messages={messageFormMessages(i18n)}
      audiences={audiences}
      first={counts[first] === 0 ? 'enrolled' : first}
      chosen={chosen}
      sample={sample}
      texts={{
        to: t`To`,
        subject: t`Subject`,
        subjectHint: t`The course’s name is added to it.`,
        text: t`Message`,
        textHint: t`Plain text, up to 5,000 characters. Replies go to your email address.`,
        show: t`Preview email`,
        showing: t`One moment…`,
        title: t`Before it goes out`,
        theySee: t`Preview`,
        from: t`From`,
        repliesTo: t`Replies go to`,
        subjectLine: t`Subject`,
        sending: t`Sending…`,
        done: numbered((n) => onItsWay(i18n, n)),
      }}
    />
  );
}

type AnnounceProps = {
  cohort: OwnCohort;
  /** How many live sessions differ from what people know, or are new to them. */
  changes: number;
  /** Of the schedule that they were read from. */
  mark: string;
  /** What they are, one line each. */
  children?: ReactNode;
};

const announceDialogId = 'announce';

/** A bar that says how many changes people do not know of, with what can be done; else nothing. */
export function AnnounceChanges({ cohort, changes, mark, children }: AnnounceProps) {
  const { i18n, t } = useLingui();
  const people = cohort.counts.enrolled;
  if (changes === 0 || people === 0) {
    return null;
  }
  const said = (
    <b>
      <Plural
        value={changes}
        one="# change is not announced."
        other="# changes are not announced."
      />
    </b>
  );
  const tell = t`${plural(people, { one: 'Tell # person', other: 'Tell # people' })}`;
  return (
    <section aria-label={t`Changes not announced`} className="slim-bar no-print">
      {children ? (
        <details className="py-2.5 open:basis-full open:pt-2">
          <summary className="cursor-pointer">{said}</summary>
          {children}
        </details>
      ) : (
        <p className="py-2.5">{said}</p>
      )}
      <div className="actions ms-auto justify-end gap-1">
        <ChangeButton
          path={`/api/cohorts/${cohort.id}/announcements/dismiss/` as const}
          call={{ input: { mark } }}
          pendingLabel={t`One moment…`}
          done={t`No email was sent. The changes are marked as announced.`}
          className="button button-quiet"
        >
          <Trans>Don’t tell</Trans>
        </ChangeButton>
        <a className="button button-quiet" href={emailPaths.preview(cohort.id, 'meeting_changed')}>
          <Trans>Preview email</Trans>
        </a>
        <OpenButton dialogId={announceDialogId} className="button">
          {tell}
        </OpenButton>
      </div>
      <Dialog id={announceDialogId} title={t`Tell people about the changes?`} close={t`Close`}>
        <p>
          <Trans>
            People who are enrolled get one email about new, moved and canceled live sessions.
          </Trans>
        </p>
        <AnnounceForm
          cohortId={cohort.id}
          dialogId={announceDialogId}
          messages={messageFormMessages(i18n)}
          texts={{
            note: t`Note in that email`,
            noteHint: t`Optional. Up to 500 characters.`,
            send: tell,
            sending: t`One moment…`,
            done: onItsWay(i18n, people),
          }}
        >
          {cohort.isWithoutNotes && <WithoutNote />}
        </AnnounceForm>
      </Dialog>
    </section>
  );
}

function onItsWay(i18n: I18n, people: number): string {
  return i18n._(
    msg`${plural(people, { one: 'On its way to # person.', other: 'On its way to # people.' })}`,
  );
}

const { text_characters, person_note_too_long } = validationTexts;

const texts = { ...validation, text_characters, person_note_too_long };

export function messageFormMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, texts);
}
