'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { ApiForm, type Values } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { leaveFor } from '#client/leave.ts';
import { giveUpChanges } from '#client/unsaved.ts';
import { type ButtonProps, useAnswers } from '#features/cohorts/cohort-button.tsx';
import { PlanFoot } from '#features/cohorts/plan-foot.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { SubmitButton } from '#ui/form.tsx';
import { meetingPaths } from './meeting-paths.ts';

/** What was typed, by the schemas of their routes. */
export const checks = {
  POST: checkBySchema(() => import('./schema.ts').then(({ MeetingInput }) => MeetingInput)),
  PATCH: checkBySchema(() => import('./schema.ts').then(({ MeetingPatch }) => MeetingPatch)),
};

type MeetingFormProps = {
  cohortId: string;
  /** The session to change; null for a new one. */
  meetingId: string | null;
  /** What the fields contain before anyone types, by their names. */
  proposed: Values;
  messages: FormMessages;
  /** The session after it, which can be opened when this one is saved. */
  nextId?: string | null;
  texts: Record<'save' | 'saving' | 'saved' | 'cancel', string> & { saveAndNext?: string };
  children: ReactNode;
};

/** Adds a session or changes one, and leads back to the schedule. */
export function MeetingForm(props: MeetingFormProps) {
  const { cohortId, meetingId, proposed, messages, nextId, texts, children } = props;
  const isNew = meetingId === null;
  const path = isNew ? meetingPaths.ofCohort(cohortId) : meetingPaths.one(cohortId, meetingId);
  const method = isNew ? 'POST' : 'PATCH';
  return (
    <ApiForm<typeof path, typeof method>
      path={path}
      method={method}
      messages={messages}
      check={(values) => checks[method](toMeetingInput(values))}
      toInput={(values) => toMeetingInput(values) as never}
      refusals={meetingConflicts}
      initialValues={proposed}
      onDone={(_saved, { button }) => {
        if (button === 'next' && nextId) {
          giveUpChanges();
          return leaveFor(meetingPaths.page(cohortId, nextId), texts.saved);
        }
        return showSchedule(cohortId, texts.saved);
      }}
    >
      {children}
      <PlanFoot proposed={proposed}>
        <div className="actions">
          <SubmitButton label={texts.save} pendingLabel={texts.saving} />
          {nextId && texts.saveAndNext && (
            <SubmitButton
              label={texts.saveAndNext}
              pendingLabel={texts.saving}
              value="next"
              className="button"
            />
          )}
          <a className="button button-quiet" href={meetingPaths.schedule(cohortId)}>
            {texts.cancel}
          </a>
        </div>
      </PlanFoot>
    </ApiForm>
  );
}

/** Opens the schedule as it is now. */
export function showSchedule(cohortId: string, done: string): 'leaving' {
  giveUpChanges();
  return leaveFor(meetingPaths.schedule(cohortId), done);
}

/** The input of the API for what was typed; what is no number becomes NaN, which it refuses. */
export function toMeetingInput(values: Values): Record<string, unknown> {
  const { starts_local: day = '', starts_time: time = '', ...rest } = values;
  const count = rest['count'];
  return {
    ...rest,
    starts_local: day === '' && time === '' ? '' : `${day}T${time}`,
    duration_minutes: numberOf(rest['duration_minutes']),
    ...(count !== undefined && { count: numberOf(count) }),
  };
}

/** A whole number. NaN for anything else. */
function numberOf(typed = ''): number {
  return /^\d+$/.test(typed.trim()) ? Number(typed) : Number.NaN;
}

/** What a session became elsewhere while a form was filled in; see vocabulary.ts. */
const meetingConflicts = [
  'cohort_in_trash',
  'dates_changed',
  'meeting_cancelled',
  'too_many_meetings',
] as const;

type CancelButtonProps = Omit<ButtonProps, 'className'> & { cohortId: string; meetingId: string };

/** Cancels or deletes a session, and leads back to the schedule. */
export function CancelButton({ cohortId, meetingId, done, ...button }: CancelButtonProps) {
  const { onFailure } = useAnswers(done);
  return (
    <ActionButton
      path={meetingPaths.one(cohortId, meetingId)}
      call={{ method: 'DELETE' }}
      className="button button-delete"
      onDone={() => showSchedule(cohortId, done)}
      onFailure={onFailure}
      {...button}
    />
  );
}
