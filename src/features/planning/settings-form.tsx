import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { proposedCurrency } from '#features/cohorts/price-fields.tsx';
import { storedValues } from '#features/cohorts/stored-values.ts';
import { SectionLinks } from '#features/settings/section-links.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { numbered } from '#lib/numbered-texts.ts';
import { pick } from '#lib/to-json.ts';
import { SettingsPart } from '#ui/settings-section.tsx';
import { CohortSaveForm } from './cohort-save-form.tsx';
import type { OwnCohort } from './own-cohorts.ts';

type Part = { id: string; title: string; content: ReactNode };

type SettingsFormProps = {
  cohort: OwnCohort;
  title: string;
  /** Its own, or the one that is proposed. */
  currency: string | null;
  /** How the bar calls the fields, by their names. */
  labels: Record<string, string>;
  messages: FormMessages;
  parts: Part[];
  /** The part after the form, with what can be done at once. */
  last: Part;
  /** What is said when all is saved. */
  saved: string;
};

/** The settings of a cohort or an open run: one form, whose changes are saved together. */
export function SettingsForm(props: SettingsFormProps) {
  const { cohort, title, currency, labels, messages, parts, last, saved } = props;
  const { i18n, t } = useLingui();
  const zone = cohort.kind === 'open' ? null : cohort.time_zone;
  const all = {
    ...storedValues(cohort, i18n.locale),
    currency: proposedCurrency(currency, zone, i18n.locale),
  };
  // The names are those of the fields.
  const stored = pick(all, Object.keys(labels) as (keyof typeof all)[]);
  // Where the browser puts the number in.
  const count = '#';
  return (
    <div className="cohort-settings @container">
      <h2 className="sr-only">{title}</h2>
      <div className="settings-columns">
        <SectionLinks label={t`On this page`}>
          <ul>
            {[...parts, last].map((part) => (
              <li key={part.id}>
                <a href={`#${part.id}`}>{part.title}</a>
              </li>
            ))}
          </ul>
        </SectionLinks>
        <div className="settings-parts @container">
          <CohortSaveForm
            // A new form for what was saved: the server may write it differently.
            key={Object.values(stored).join('\n')}
            id={cohort.id}
            messages={messages}
            stored={stored}
            labels={labels}
            texts={{
              save: t`Save changes`,
              saving: t`Saving…`,
              unsaved: t`Not saved yet`,
              saved,
              discard: t`Discard`,
              changes: numbered(
                (n) =>
                  t`${plural(n, { one: '# change not saved:', other: '# changes not saved:' })}`,
              ),
              more: t`and ${count} more`,
              errors: numbered(
                (n) =>
                  t`${plural(n, { one: '# field needs a look', other: '# fields need a look' })}`,
              ),
              locale: i18n.locale,
            }}
          >
            {parts.map((part) => (
              <SettingsPart key={part.id} id={part.id} title={part.title}>
                {part.content}
              </SettingsPart>
            ))}
          </CohortSaveForm>
          <SettingsPart id={last.id} title={last.title}>
            {last.content}
          </SettingsPart>
        </div>
      </div>
    </div>
  );
}
