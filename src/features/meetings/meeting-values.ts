import type { Values } from '#client/api-form.tsx';

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
export const meetingConflicts = [
  'cohort_in_trash',
  'dates_changed',
  'meeting_cancelled',
  'too_many_meetings',
] as const;
