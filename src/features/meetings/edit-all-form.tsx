'use client';

import { useState } from 'react';
import { ApiForm, type Values } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { PlanFoot } from '#features/cohorts/plan-foot.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { SubmitButton } from '#ui/form.tsx';
import { showSchedule } from './meeting-form.tsx';
import { meetingPaths } from './meeting-paths.ts';
import type { ScheduleInput } from './schema.ts';
import { dayAfter, rowsIn, type SheetRow, scheduleOf } from './session-rows.ts';
import { SessionSheet } from './session-sheet.tsx';
import type { SheetTexts } from './sheet-texts.ts';

const check = checkBySchema(() => import('./schema.ts').then((schemas) => schemas.ScheduleInput));

type EditAllFormProps = {
  cohortId: string;
  /** That of the schedule that is shown. */
  mark: string;
  /** What is stored. */
  stored: SheetRow[];
  /** A session that becomes a day off. */
  off: string | null;
  /** The first and the last one of the cohort. */
  days: { from: string; to: string };
  /** The time of sessions that are added. */
  time: NonNullable<SheetRow['time']>;
  locale: string;
  messages: FormMessages;
  sheet: SheetTexts;
  /** `withClass` and `without` with `#1` and `#2`; `untitled` with `#`. */
  texts: Record<
    'save' | 'saving' | 'saved' | 'cancel' | 'withClass' | 'without' | 'untitled',
    string
  >;
};

/** Changes all sessions and days off of a cohort in one save, and leads back to the schedule. */
export function EditAllForm(props: EditAllFormProps) {
  const { cohortId, mark, stored, off, days, time, locale, messages, sheet, texts } = props;
  const [rows, setRows] = useState(() =>
    stored.map((row) => (row.id !== null && row.id === off ? { ...row, isOff: true } : row)),
  );
  const path = meetingPaths.wholeSchedule(cohortId);
  const toInput = (values: Values) =>
    ({ mark, ...scheduleOf(rowsIn(values['sessions']), time, texts.untitled) }) as ScheduleInput;
  const countOff = rows.filter(({ isOff }) => isOff).length;
  return (
    <ApiForm<typeof path, 'PUT'>
      path={path}
      method="PUT"
      messages={messages}
      check={(values) => check(toInput(values))}
      toInput={toInput}
      refusals={['schedule_changed', 'cohort_in_trash', 'dates_changed', 'too_many_meetings']}
      onDone={() => showSchedule(cohortId, texts.saved)}
    >
      <SessionSheet
        rows={rows}
        stored={stored}
        onRows={setRows}
        isTyped={JSON.stringify(rows) !== JSON.stringify(stored)}
        next={() => ({ day: dayAfter(rows, days.from), time: null })}
        days={() => days}
        locale={locale}
        texts={sheet}
      >
        <p className="text-muted text-sm" role="status">
          {(countOff === 0 ? texts.withClass : texts.without)
            .replace('#1', String(rows.length - countOff))
            .replace('#2', String(countOff))}
        </p>
      </SessionSheet>
      <PlanFoot proposed={{ sessions: JSON.stringify(stored) }}>
        <div className="actions">
          <SubmitButton label={texts.save} pendingLabel={texts.saving} />
          <a className="button button-quiet" href={meetingPaths.schedule(cohortId)}>
            {texts.cancel}
          </a>
        </div>
      </PlanFoot>
    </ApiForm>
  );
}
