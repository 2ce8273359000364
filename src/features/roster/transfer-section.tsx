import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { CohortKind } from '#db/values.ts';
import { peopleMessages } from '#features/places/form-messages.ts';
import { dayRange } from '#lib/time/words.ts';
import { SettingsSection } from '#ui/settings-section.tsx';
import type { Target } from './find-targets.ts';
import { TransferForm } from './transfer-form.tsx';

type TransferProps = {
  cohort: { id: string; course_id: string; kind: CohortKind };
  enrollmentId: string;
  name: string;
  targets: Target[];
};

/** Moves someone to another cohort or open run; left out where there is none. */
export function TransferSection({ cohort, enrollmentId, name, targets }: TransferProps) {
  const { i18n, t } = useLingui();
  // Those of the same course first.
  const sorted = [true, false].flatMap((isSame) =>
    targets.filter(({ courseId }) => (courseId === cohort.course_id) === isSame),
  );
  const [first] = sorted;
  if (first === undefined) {
    return null;
  }
  const isAmongCohorts = [cohort, ...targets].every(({ kind }) => kind === 'dated');
  const byCourse = [...Map.groupBy(sorted, ({ courseId }) => courseId)];
  const optionsOf = (of: Target[]) =>
    of.map((target) => (
      <option key={target.id} value={target.id}>
        {labelOf(target)}
      </option>
    ));
  return (
    <SettingsSection
      id="person-transfer"
      title={isAmongCohorts ? t`Another cohort` : t`Another course or group`}
      description={<Trans>The place moves with its history. The place here becomes free.</Trans>}
    >
      <TransferForm
        cohortId={cohort.id}
        enrollmentId={enrollmentId}
        chosen={first.id}
        full={Object.fromEntries(
          targets.flatMap(({ id, capacity, taken }) => {
            const next = taken + 1;
            return capacity !== null && taken >= capacity
              ? [[id, i18n._(msg`Move anyway (${next} of ${capacity})`)]]
              : [];
          }),
        )}
        messages={peopleMessages(i18n)}
        texts={{
          cohort: isAmongCohorts ? t`Cohort` : t`Course or group`,
          tell: t`Tell ${name} by email`,
          move: t`Move`,
          moving: t`Moving…`,
          done: isAmongCohorts ? t`Moved to this cohort.` : t`Moved here.`,
        }}
        options={
          byCourse.length === 1
            ? optionsOf(sorted)
            : byCourse.map(([courseId, ofCourse]) => (
                <optgroup key={courseId} label={ofCourse[0]?.courseName}>
                  {optionsOf(ofCourse)}
                </optgroup>
              ))
        }
      />
    </SettingsSection>
  );

  function labelOf({ name: label, startsOn, endsOn, capacity, taken }: Target): string {
    const days =
      startsOn === null || endsOn === null
        ? t`start any day`
        : dayRange(startsOn, endsOn, i18n.locale);
    return capacity !== null && taken >= capacity
      ? t`${label}, ${days} (full)`
      : `${label}, ${days}`;
  }
}
