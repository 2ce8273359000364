import { Trans, useLingui } from '@lingui/react/macro';
import type { CohortKind } from '#db/values.ts';
import type { Person } from '#features/places/schema.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { SettingsSection } from '#ui/settings-section.tsx';
import { DownloadPersonButton, ErasePersonButton } from './person-data-button.tsx';

type PersonCohort = { id: string; kind: CohortKind };

/** What a person can ask for, which their instructor can do for them. */
export function PersonData({ person, cohort }: { person: Person; cohort: PersonCohort }) {
  const { t } = useLingui();
  const { id, name } = person;
  const who = <bdi>{name}</bdi>;
  return (
    <SettingsSection
      id="person-data"
      title={t`Data`}
      description={t`They can also do this themselves, on their page.`}
    >
      <p>
        <Trans>
          The file contains everything you keep about {who}, with your note and the emails sent.
        </Trans>
      </p>
      <div className="actions">
        <DownloadPersonButton
          personId={id}
          pendingLabel={t`Preparing…`}
          done={t`Data downloaded.`}
          className="button"
        >
          <Trans>Download the data</Trans>
        </DownloadPersonButton>
        <ActionDialog
          id="erase-person"
          opener={<Trans>Erase this person</Trans>}
          className="button button-danger"
          title={t`Erase this person?`}
          action={
            <ErasePersonButton
              personId={id}
              cohortId={cohort.id}
              pendingLabel={t`Erasing…`}
              done={t`Person erased.`}
              className="button button-delete"
            >
              <Trans>Erase</Trans>
            </ErasePersonButton>
          }
        >
          <p>
            {cohort.kind === 'open' ? (
              <Trans>
                {who} is erased from all your courses, with their history. Free places go to the
                waitlists, and emails that are due aren’t sent. This can’t be undone.
              </Trans>
            ) : (
              <Trans>
                {who} is erased from all your cohorts, with their history. Free places go to the
                waitlists, and emails that are due aren’t sent. This can’t be undone.
              </Trans>
            )}
          </p>
        </ActionDialog>
      </div>
    </SettingsSection>
  );
}
