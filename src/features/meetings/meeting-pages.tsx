import { Trans, useLingui } from '@lingui/react/macro';
import type { Values } from '#client/api-form.tsx';
import { calendar } from '#features/cohorts/cohort-fields.tsx';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { addDays, dayOfWallTime, daysBetween } from '#lib/time/calendar.ts';
import { longDay } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Field } from '#ui/form.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { EditAllForm } from './edit-all-form.tsx';
import { meetingMessages } from './form-messages.ts';
import { CancelButton, MeetingForm } from './meeting-form.tsx';
import type { Meeting, ScheduleTable } from './schema.ts';
import { blank, type SheetRow, sorted } from './session-rows.ts';
import { sheetTexts } from './sheet-texts.ts';
import { WeeklyForm } from './weekly-form.tsx';

/** How many weeks a cohort has from a day on; at least one. */
function weeksLeft({ ends_on }: OwnCohort, from: string): number {
  return Math.min(Math.max(Math.floor(daysBetween(from, ends_on) / 7) + 1, 1), 60);
}

/** What a session usually has in common with the one before it. */
function proposedAfter(cohort: OwnCohort, last: Meeting | undefined) {
  const day = last === undefined ? cohort.starts_on : addDays(dayOfWallTime(last.starts_local), 7);
  return {
    title: '',
    starts_local: day,
    starts_time: last?.starts_local.slice(11) ?? '18:00',
    duration_minutes: String(last?.duration_minutes ?? 90),
    place: '',
    join_url: '',
    note: '',
    public_line: '',
  };
}

type NewProps = { cohort: OwnCohort; last: Meeting | undefined };

/** Adds one session. */
export function AddMeeting({ cohort, last }: NewProps) {
  const { i18n, t } = useLingui();
  const proposed = proposedAfter(cohort, last);
  return (
    <div className="cohort-form max-w-[36rem]">
      <MeetingForm
        cohortId={cohort.id}
        meetingId={null}
        proposed={proposed}
        messages={meetingMessages(i18n)}
        texts={{
          save: t`Add session`,
          saving: t`Adding…`,
          saved: t`Session added.`,
          cancel: t`Cancel`,
        }}
      >
        <Fields cohort={cohort} />
      </MeetingForm>
    </div>
  );
}

/** Adds several sessions, a week apart. */
export function AddWeekly({ cohort, last }: NewProps) {
  const { i18n, t } = useLingui();
  const { public_line: _line, ...first } = proposedAfter(cohort, last);
  const proposed = { ...first, count: String(weeksLeft(cohort, first.starts_local)) };
  // Where the browser puts their number in.
  const number = '#';
  return (
    <WeeklyForm
      cohortId={cohort.id}
      proposed={proposed}
      messages={meetingMessages(i18n)}
      locale={i18n.locale}
      texts={{
        show: t`Preview sessions`,
        showing: t`One moment…`,
        title: t`These sessions will be added`,
        skipped: t`Later, because clocks skip this time.`,
        warnings: {
          outside_dates: t`Not within the cohort’s dates`,
          overlaps: t`At the same time as another session of yours`,
          in_past: t`In the past`,
        },
        save: t`Save ${number} sessions`,
        saving: t`Saving…`,
        saved: t`Sessions added.`,
        cancel: t`Cancel`,
      }}
    >
      <Fields cohort={cohort} isWeekly />
    </WeeklyForm>
  );
}

type ChangeProps = { cohort: OwnCohort; meeting: Meeting; nextId: string | null };

/** Changes a session, or cancels it. */
export function ChangeMeeting({ cohort, meeting, nextId }: ChangeProps) {
  const { i18n, t } = useLingui();
  const stored: Values = {
    title: meeting.title,
    starts_local: dayOfWallTime(meeting.starts_local),
    starts_time: meeting.starts_local.slice(11),
    duration_minutes: String(meeting.duration_minutes),
    place: meeting.place ?? '',
    join_url: meeting.join_url ?? '',
    note: meeting.note ?? '',
    public_line: meeting.public_line ?? '',
  };
  const isKept = cohort.published_at !== null && meeting.status === 'coming';
  const label = isKept ? t`Cancel session` : t`Delete session`;
  return (
    <div className="cohort-form grid max-w-[36rem] gap-8">
      <MeetingForm
        cohortId={cohort.id}
        meetingId={meeting.id}
        proposed={stored}
        messages={meetingMessages(i18n)}
        nextId={nextId}
        texts={{
          save: t`Save`,
          saving: t`Saving…`,
          saved: t`Session saved.`,
          cancel: t`Cancel`,
          saveAndNext: t`Save and next session`,
        }}
      >
        <Fields cohort={cohort} />
      </MeetingForm>
      <section id="cancel" className="grid justify-items-start gap-3">
        <h2 className="text-lg">{label}</h2>
        <p className="text-muted">
          {isKept ? (
            <Trans>
              It stays in the schedule and in calendars for 30 days, marked as canceled.
            </Trans>
          ) : (
            <Trans>It will be removed from the schedule. This can’t be undone.</Trans>
          )}
        </p>
        <ActionDialog
          id="cancel-meeting"
          opener={label}
          className="button button-danger"
          title={isKept ? t`Cancel this session?` : t`Delete this session?`}
          cancel={<Trans>Keep session</Trans>}
          action={
            <CancelButton
              cohortId={cohort.id}
              meetingId={meeting.id}
              pendingLabel={t`One moment…`}
              done={isKept ? t`Session canceled.` : t`Session deleted.`}
            >
              {label}
            </CancelButton>
          }
        >
          <p>
            <bdi>{meeting.title}</bdi>, {longDay(dayOfWallTime(meeting.starts_local), i18n.locale)}
          </p>
        </ActionDialog>
      </section>
    </div>
  );
}

type EditAllProps = { cohort: OwnCohort; table: ScheduleTable; off: string | null };

/** Changes all sessions that are not canceled, and the days off, as a table. */
export function EditAll({ cohort, table, off }: EditAllProps) {
  const { i18n, t } = useLingui();
  const kept = table.meetings.filter(({ status }) => status !== 'cancelled');
  const last = kept.at(-1);
  // Where the browser puts numbers in.
  const [number, first, second] = ['#', '#1', '#2'];
  return (
    <EditAllForm
      cohortId={cohort.id}
      mark={table.mark}
      stored={sorted([...kept.map(rowOfMeeting), ...table.days_off.map(rowOfDayOff)])}
      off={off}
      days={{ from: cohort.starts_on, to: cohort.ends_on }}
      time={{
        clock: last?.starts_local.slice(11) ?? '18:00',
        minutes: last?.duration_minutes ?? 90,
      }}
      locale={i18n.locale}
      messages={meetingMessages(i18n)}
      sheet={sheetTexts(i18n)}
      texts={{
        save: t`Save all sessions`,
        saving: t`Saving…`,
        saved: t`Sessions saved.`,
        cancel: t`Cancel`,
        withClass: t`${first} with class.`,
        without: t`${first} with class, ${second} without.`,
        untitled: t`Session ${number}`,
      }}
    />
  );
}

function rowOfMeeting(meeting: Meeting): SheetRow {
  return {
    ...blank,
    isAdded: false,
    key: meeting.id,
    id: meeting.id,
    day: dayOfWallTime(meeting.starts_local),
    title: meeting.title,
    line: meeting.public_line ?? '',
    time: { clock: meeting.starts_local.slice(11), minutes: meeting.duration_minutes },
  };
}

function rowOfDayOff({ on_date: day, reason }: ScheduleTable['days_off'][number]): SheetRow {
  return { ...blank, key: day, day, isOff: true, reason, isMadeUp: true, isAdded: false };
}

function Fields({ cohort, isWeekly = false }: { cohort: OwnCohort; isWeekly?: boolean }) {
  const { i18n, t } = useLingui();
  const city = cityOf(cohort.time_zone, i18n.locale);
  return (
    <>
      <Field label={t`Title`} name="title" dir="auto" autoComplete="off" required />
      <div className="field-pair">
        <Field
          label={isWeekly ? t`First day` : t`Day`}
          name="starts_local"
          type="date"
          {...calendar}
          required
        />
        <Field
          label={t`Begins at`}
          name="starts_time"
          type="time"
          required
          hint={t`In ${city} time.`}
        />
      </div>
      <div className="field-pair">
        <Field
          label={t`Minutes`}
          name="duration_minutes"
          inputMode="numeric"
          autoComplete="off"
          size={6}
          required
        />
        {isWeekly && (
          <Field
            label={t`How many weeks`}
            name="count"
            inputMode="numeric"
            autoComplete="off"
            size={6}
            required
            hint={t`Up to 60 sessions, always at the same clock time.`}
          />
        )}
      </div>
      <Field
        label={t`Place`}
        name="place"
        dir="auto"
        autoComplete="off"
        hint={
          cohort.place === null
            ? t`For everyone. Leave blank if there is none.`
            : t`For everyone. Leave blank for the cohort’s own place.`
        }
      />
      <Field
        label={t`Meeting link`}
        name="join_url"
        type="url"
        autoComplete="off"
        placeholder="https://"
        hint={
          cohort.join_url === null
            ? t`Only enrolled people see it.`
            : t`Only enrolled people see it. Leave blank for the cohort’s own link.`
        }
      />
      {!isWeekly && (
        <Field
          label={t`Public line`}
          name="public_line"
          dir="auto"
          autoComplete="off"
          hint={t`For everyone, such as what to read. The public page shows it under the title.`}
        />
      )}
      <TextArea
        label={t`Note`}
        name="note"
        rows={3}
        dir="auto"
        hint={t`Only enrolled people see it.`}
      />
    </>
  );
}
