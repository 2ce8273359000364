/** What a live session is at a moment: never stored, because time changes it. */
export const meetingStatuses = ['coming', 'running', 'over', 'cancelled'] as const;
type MeetingStatus = (typeof meetingStatuses)[number];

/** How many live sessions a cohort can have. */
export const maxMeetings = 200;

/** How long a live session can be: what began earlier is over. */
export const longestMinutes = 1_440;
export const longestMs = longestMinutes * 60_000;

type StateFacts = { startsAt: Date; durationMinutes: number; cancelledAt: Date | null };

export function endOfMeeting({ startsAt, durationMinutes }: Omit<StateFacts, 'cancelledAt'>): Date {
  return new Date(startsAt.getTime() + durationMinutes * 60_000);
}

export function meetingStatus(meeting: StateFacts, now: Date): MeetingStatus {
  if (meeting.cancelledAt !== null) {
    return 'cancelled';
  }
  if (now < meeting.startsAt) {
    return 'coming';
  }
  return now < endOfMeeting(meeting) ? 'running' : 'over';
}
