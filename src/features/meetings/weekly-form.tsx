'use client';

import type { ComponentProps } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import type { Values } from '#client/api-form.tsx';
import { PlanForm } from '#features/cohorts/plan-form.tsx';
import { dayOfWallTime } from '#lib/time/calendar.ts';
import { clockTime, longDay } from '#lib/time/words.ts';
import { checks, type MeetingForm, showSchedule, toMeetingInput } from './meeting-form.tsx';
import { meetingPaths } from './meeting-paths.ts';
import type { MeetingInput, PlannedMeeting } from './schema.ts';

type WeeklyFormProps = Omit<ComponentProps<typeof MeetingForm>, 'meetingId' | 'texts'> & {
  locale: string;
  /** `save` with `#` in the place of their number. */
  texts: PlannedTexts & Record<'show' | 'showing' | 'save' | 'saving' | 'saved' | 'cancel', string>;
};

/** Adds sessions a week apart, after showing every one of them. */
export function WeeklyForm(props: WeeklyFormProps) {
  const { cohortId, proposed, messages, locale, texts, children } = props;
  const path = meetingPaths.ofCohort(cohortId);
  const inputFor = (values: Values, dry_run: boolean) =>
    ({ ...toMeetingInput(values), dry_run }) as MeetingInput;
  const cancel = (
    <a className="button button-quiet" href={meetingPaths.schedule(cohortId)}>
      {texts.cancel}
    </a>
  );
  return (
    <PlanForm
      path={path}
      proposed={proposed}
      messages={messages}
      texts={texts}
      cancel={cancel}
      check={(values) => checks.POST(inputFor(values, true))}
      toPreview={(values) => inputFor(values, true)}
      toShown={(data, values) => ({
        values,
        planned: data as PlannedMeeting[],
        key: crypto.randomUUID(),
      })}
      planned={({ values, planned, key }, isRefused) => (
        <>
          <PlannedList planned={planned} locale={locale} texts={texts} />
          <div className="actions">
            <ActionButton
              path={path}
              call={{ input: inputFor(values, false), idempotencyKey: key }}
              pendingLabel={texts.saving}
              className="button button-primary"
              onFailure={isRefused}
              onDone={() => showSchedule(cohortId, texts.saved)}
            >
              {texts.save.replace('#', String(planned.length))}
            </ActionButton>
            {cancel}
          </div>
        </>
      )}
    >
      {children}
    </PlanForm>
  );
}

type PlannedTexts = {
  title: string;
  skipped: string;
  warnings: Record<PlannedMeeting['warnings'][number], string>;
};

type PlannedListProps = { planned: PlannedMeeting[]; locale: string; texts: PlannedTexts };

function PlannedList({ planned, locale, texts }: PlannedListProps) {
  return (
    <>
      <h2>{texts.title}</h2>
      <ol className="planned-list mb-6">
        {planned.map(({ starts_local: startsLocal, is_adjusted: isAdjusted, warnings }) => (
          <li key={startsLocal} className="border-line border-t py-2">
            <span className="sentence">{longDay(dayOfWallTime(startsLocal), locale)}</span>
            {', '}
            <span>{clockTime(startsLocal, locale)}</span>
            {isAdjusted && <span className="hint block">{texts.skipped}</span>}
            {warnings.map((warning) => (
              <span key={warning} className="hint block text-warn">
                {texts.warnings[warning]}
              </span>
            ))}
          </li>
        ))}
      </ol>
    </>
  );
}
