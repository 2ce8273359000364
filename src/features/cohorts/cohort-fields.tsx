import { useLingui } from '@lingui/react/macro';
import { Choice, Field } from '#ui/form.tsx';
import { Check } from './fields.tsx';

/** The first and the last that the calendar of a cohort has; see lib/time/calendar.ts. */
export const calendar = { min: '2000-01-01', max: '2100-12-31' };

export function NameField({ hint }: { hint?: string }) {
  const { t } = useLingui();
  return (
    <Field label={t`Cohort name`} name="name" dir="auto" autoComplete="off" required hint={hint} />
  );
}

/** The first and the last day, beside each other where there is room. */
export function DayFields() {
  const { t } = useLingui();
  return (
    <div className="field-pair">
      <Field label={t`First day`} name="starts_on" type="date" {...calendar} required />
      <Field label={t`Last day`} name="ends_on" type="date" {...calendar} required />
    </div>
  );
}

/** @param isRun whether it is about an open run, which has the page of its course */
export function JoinField({ isRun = false }: { isRun?: boolean }) {
  const { t } = useLingui();
  return (
    <Choice
      id="join-mode"
      legend={isRun ? t`Who can enroll` : t`Who can join`}
      name="join_mode"
      defaultValue="open"
      options={[
        {
          value: 'open',
          label: isRun ? t`Anyone with the address` : t`Anyone with the link`,
          description: isRun
            ? t`People enroll themselves on the course’s public page.`
            : t`People enroll themselves on the cohort’s public page.`,
        },
        {
          value: 'approval',
          label: t`Anyone, with your approval`,
          description: t`People ask for a place on the public page, and you decide.`,
        },
        {
          value: 'invitation',
          label: t`By invitation`,
          description: t`Only people you invite or add. The public page says so.`,
        },
      ]}
    />
  );
}

export function PlacesField() {
  const { t } = useLingui();
  return (
    <Field
      label={t`Places`}
      name="capacity"
      // Not a number field, which loses what it cannot read.
      inputMode="numeric"
      autoComplete="off"
      size={8}
      hint={t`Leave blank for no limit.`}
      defaultValue=""
    />
  );
}

export function WaitlistField({ offerHours: hours = 48 }: { offerHours?: number }) {
  const { t } = useLingui();
  return (
    <Check
      name="waitlist"
      label={t`Offer free places to the waitlist, in order`}
      hint={t`Each offer is kept for ${hours} hours, then goes to the next person.`}
      defaultChecked
    />
  );
}
