'use client';

import type { ReactNode } from 'react';
import { ApiForm, type Values } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { leaveFor } from '#client/leave.ts';
import { giveUpChanges } from '#client/unsaved.ts';
import { PlanFoot } from '#features/cohorts/plan-foot.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { SubmitButton } from '#ui/form.tsx';
import { meetingPaths } from './meeting-paths.ts';
import { meetingConflicts, toMeetingInput } from './meeting-values.ts';

const checks = {
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
  texts: { save: string; saving: string; saved: string };
  children: ReactNode;
};

/** Adds a session or changes one, and leads back to the schedule. */
export function MeetingForm(props: MeetingFormProps) {
  const { cohortId, meetingId, proposed, messages, texts, children } = props;
  const form = {
    messages,
    toInput: (values: Values) => toMeetingInput(values) as never,
    refusals: meetingConflicts,
    onDone: () => showSchedule(cohortId, texts.saved),
  };
  const fields = (
    <>
      {children}
      <PlanFoot proposed={proposed}>
        <div className="actions">
          <SubmitButton label={texts.save} pendingLabel={texts.saving} />
        </div>
      </PlanFoot>
    </>
  );
  return meetingId === null ? (
    <ApiForm
      path={meetingPaths.ofCohort(cohortId)}
      check={(values) => checks.POST(toMeetingInput(values))}
      {...form}
    >
      {fields}
    </ApiForm>
  ) : (
    <ApiForm
      path={meetingPaths.one(cohortId, meetingId)}
      method="PATCH"
      check={(values) => checks.PATCH(toMeetingInput(values))}
      {...form}
    >
      {fields}
    </ApiForm>
  );
}

/** Opens the schedule as it is now. */
export function showSchedule(cohortId: string, done: string): 'leaving' {
  giveUpChanges();
  return leaveFor(meetingPaths.schedule(cohortId), done);
}
