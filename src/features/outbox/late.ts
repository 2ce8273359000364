import 'server-only';
import type { Payload } from '#email/participant-letter.ts';
import type { HeldMail } from './drain-outbox.ts';

/** A reminder says when it was to come, so one that comes later says something wrong. */
export const latestMs = 2 * 60 * 60 * 1000;

/** Whether an email is a reminder that is two hours too late, or whose live session has begun. */
export function isLate({ kind, payload }: Pick<HeldMail, 'kind' | 'payload'>, now: Date): boolean {
  if (kind !== 'starts_soon' && kind !== 'meeting_reminder') {
    return false;
  }
  const { due_at: dueAt = 0, meeting }: Payload = JSON.parse(payload);
  const time = now.getTime();
  return time - dueAt > latestMs || (meeting !== undefined && time >= meeting.starts_at);
}
