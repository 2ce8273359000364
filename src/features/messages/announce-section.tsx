import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { OwnCohort } from '#features/planning/find-own-cohort.ts';
import { WithoutNote } from '#features/planning/notify-fields.tsx';
import { AnnounceForm } from './announce-form.tsx';
import { messageFormMessages } from './form-messages.ts';

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
