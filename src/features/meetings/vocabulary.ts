import { ownRows } from '#db/personal-data.ts';
import { daysOff, meetings } from '#db/schema/meetings.ts';
import { msg } from '#i18n/msg.ts';
import { type ValidationTexts, withStatus } from '#lib/vocabulary.ts';

export const errors = withStatus(422, {
  meeting_cancelled: msg`This session is canceled. Add a new one instead.`,
  schedule_changed: msg`Someone has changed these sessions since you opened the table. Please reload the page.`,
  too_many_meetings: msg`A cohort holds 200 live sessions at most.`,
});

export const validation = {
  meeting_title_required: msg`Title is required`,
  meeting_title_too_long: msg`Title must be at most 120 characters`,
  meetings_range: msg`A cohort holds 200 live sessions at most`,
  public_line_too_long: msg`Public line must be at most 200 characters`,
  day_off_reason_too_long: msg`Reason must be at most 120 characters`,
  meeting_note_too_long: msg`Note must be at most 1,000 characters`,
  time_required: msg`Please choose a time`,
  duration_range: msg`Please enter 5 to 1,440 minutes`,
  weeks_range: msg`Please enter 1 to 60 weeks`,
} satisfies ValidationTexts;

export const events = { cancelled_meetings_removed: true, meetings_moved: true };

export const exported = {
  meetings: ownRows(meetings, { except: ['idempotency_no'] }),
  days_off: ownRows(daysOff),
};
