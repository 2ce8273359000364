import { Trans, useLingui } from '@lingui/react/macro';
import { waysIn } from '#features/places/ways-in.ts';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { formMessages } from '#i18n/validation.ts';
import { paths } from '#paths.ts';
import { errors } from '#vocabulary.ts';
import { ImportForm } from './import-form.tsx';
import { validation } from './vocabulary.ts';

/** Brings people into a cohort from a list. */
export function ImportPeople({ cohort }: { cohort: OwnCohort }) {
  const { i18n } = useLingui();
  return (
    <ImportForm cohortId={cohort.id} messages={formMessages(i18n, validation)} texts={useTexts()}>
      <a className="button" href={paths.roster(cohort.id)}>
        <Trans>Go to the roster</Trans>
      </a>
    </ImportForm>
  );
}

export type ImportTexts = ReturnType<typeof useTexts>;

function useTexts() {
  const { i18n, t } = useLingui();
  const ways = waysIn(i18n);
  const isNoUtf8 = t`This file isn’t UTF-8. Please check the accents, and choose another encoding if they look wrong.`;
  return {
    file: t`Choose a file`,
    fileHint: t`A list saved as CSV, up to 1 MB and 5,000 lines.`,
    text: t`Or paste the lines`,
    textHint: t`One person per line: name and email address. The first line can name the columns.`,
    readAs: {
      'utf-8': t`Read as UTF-8.`,
      'utf-16': t`Read as UTF-16.`,
      'windows-1252': isNoUtf8,
      macintosh: isNoUtf8,
    },
    encoding: t`File encoding`,
    encodings: { 'windows-1252': t`Windows (Western European)`, macintosh: t`Mac Roman` },
    tooLarge: i18n._(errors.import_too_large.text),
    notText: i18n._(errors.import_not_text.text),
    ways: t`How to add them`,
    rests: t`The others`,
    wayOptions: [ways.invited, ways.enrolled],
    restOptions: {
      waitlist: {
        label: t`Put the rest on the waitlist`,
        description: t`In the order of the list.`,
      },
      invite: { ...ways.invited, label: t`Invite the rest` },
      add: { ...ways.over, label: t`Add them anyway` },
    },
    columnNames: {
      ignored: t`Leave out`,
      name: t`Full name`,
      first_name: t`First name`,
      last_name: t`Last name`,
      email: t`Email address`,
      language: t`Language`,
      note: t`Note`,
      answer: t`Answer`,
    },
    columns: t`What’s in each column?`,
    informed: t`I’ve told these people that I’m adding them to Lectern.`,
    check: t`Preview import`,
    checking: t`Checking…`,
    importing: t`Importing…`,
    another: t`Import another list`,
    caption: t`Line by line`,
    line: t`Line`,
    person: t`Person`,
    what: t`What happens`,
    all: t`Show all lines`,
    download: t`Download the lines with errors`,
    fileName: t`faulty-lines.csv`,
  };
}
