import { useLingui } from '@lingui/react/macro';
import { dateFields } from '#features/cohorts/cohort-dates.ts';
import { calendar, DayFields } from '#features/cohorts/cohort-fields.tsx';
import { cohortMessages } from '#features/cohorts/cohort-messages.ts';
import { Check } from '#features/cohorts/fields.tsx';
import type { Cohort } from '#features/cohorts/schema.ts';
import { ZoneField } from '#features/cohorts/zone-field.tsx';
import { addDays, daysBetween } from '#lib/time/calendar.ts';
import { monthAndYear } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { pick } from '#lib/to-json.ts';
import { Field } from '#ui/form.tsx';
import { CopyForm, MoveForm } from './move-form.tsx';
import { countConcerned, NotifyFields } from './notify-fields.tsx';
import type { OwnCohort } from './own-cohorts.ts';

/** Moves a cohort to other days or to another time zone. */
export function MoveCohort({ cohort }: { cohort: OwnCohort }) {
  const { t } = useLingui();
  const plan = usePlan(cohort);
  const people = countConcerned(cohort);
  return (
    <MoveForm
      {...plan}
      proposed={{
        starts_on: cohort.starts_on,
        ends_on: cohort.ends_on,
        time_zone: cohort.time_zone,
        ...(people > 0 && { notify: 'on', note: '' }),
      }}
      texts={{
        ...plan.texts,
        confirm: t`Move the cohort`,
        confirming: t`Moving…`,
        done: t`Cohort moved.`,
      }}
    >
      <DayFields />
      <ZoneField zone={cohort.time_zone} />
      {people > 0 && <NotifyFields people={people} isWithoutNotes={cohort.isWithoutNotes} />}
    </MoveForm>
  );
}

/** Copies a cohort to a draft that begins on another day. */
export function CopyCohort({ cohort, hasGaps }: { cohort: Cohort; hasGaps: boolean }) {
  const { i18n, t } = useLingui();
  const plan = usePlan(cohort);
  const { starts_on, ends_on } = cohort;
  const hasLink = cohort.join_url !== null;
  // The same weekday, in the first week after the last day.
  const nextStart = addDays(starts_on, Math.floor(daysBetween(starts_on, ends_on) / 7) * 7 + 7);
  return (
    <CopyForm
      {...plan}
      proposed={{
        name: monthAndYear(nextStart, i18n.locale),
        starts_on: nextStart,
        ...(hasGaps && { close_gaps: 'on' }),
        ...(hasLink && { with_join_url: 'off' }),
      }}
      texts={{
        ...plan.texts,
        before: t`This cohort`,
        after: t`The copy`,
        confirm: t`Create draft`,
        confirming: t`Creating…`,
        done: t`Draft created.`,
      }}
    >
      <Field label={t`Name of the copy`} name="name" dir="auto" autoComplete="off" required />
      <Field label={t`First day`} name="starts_on" type="date" {...calendar} required />
      {hasGaps && (
        <Check
          name="close_gaps"
          label={t`Close the gaps left by days without class`}
          hint={t`Sessions follow each other without interruption, and the copy ends sooner. Otherwise, days without class are copied too.`}
        />
      )}
      {hasLink && (
        <Check
          name="with_join_url"
          label={t`Copy the meeting link too`}
          hint={t`Off by default, so that the last group can’t join the next one.`}
        />
      )}
    </CopyForm>
  );
}

/** What moving and copying a cohort have in common: its dates as they are shown now, and texts. */
export function usePlan(cohort: Cohort) {
  const { i18n, t } = useLingui();
  const { id, starts_on, ends_on, time_zone } = cohort;
  return {
    cohort: { id, starts_on, ends_on, time_zone, city: cityOf(time_zone, i18n.locale) },
    expected: pick(cohort, dateFields),
    messages: cohortMessages(i18n),
    locale: i18n.locale,
    texts: {
      show: t`Preview dates`,
      showing: t`One moment…`,
      title: t`All dates, before and after`,
      before: t`Before`,
      after: t`After`,
      labels: {
        starts_on: t`First day`,
        ends_on: t`Last day`,
        time_zone: t`Time zone`,
        enrollment_opens_local: t`Enrollment opens`,
        enrollment_closes_local: t`Enrollment closes`,
        early_until_local: t`Early price until`,
      },
      endOfDay: t`end of the day`,
      meetings: t`Live sessions, before and after`,
      daysOff: t`Days without class, before and after`,
      dayOff: t`No class`,
      sections: t`Sections that open on a date, before and after`,
      untitled: t`Untitled section`,
      offers: t`When offers of a place end, before and after`,
      endsNow: t`Ends immediately`,
      // Where the browser puts the days of the week in, if there is one before and one after.
      weekday: t`All live sessions move from #1 to #2.`,
      weekdays: t`Live sessions move to other days of the week.`,
      adjusted: t`Adjusted to the new dates.`,
      skipped: t`Later, because clocks skip this time.`,
      inPast: t`The first day is in the past.`,
    },
  };
}
