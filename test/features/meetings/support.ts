import { eq } from 'drizzle-orm';
import { beforeEach, expect, vi } from 'vitest';
import { meetings } from '#db/schema/meetings.ts';
import type { Meeting, PlannedMeeting } from '#features/meetings/schema.ts';
import type { Client } from '#support/client.ts';
import { db } from '#support/factories.ts';
import { cohortPath, createCohort, createOwn } from '../planning/support.ts';

/** Over both clock changes of a year. */
export const year = { starts_on: '2027-03-01', ends_on: '2027-11-30', time_zone: 'Europe/Paris' };

export const evening = {
  title: 'Reading aloud',
  starts_local: '2027-03-02T18:00',
  duration_minutes: 90,
};

/** An instructor with a cohort, and what they do with its sessions. */
export async function createPlace(values = {}, { isPublished = false } = {}) {
  const own = await createOwn({ ...year, ...values });
  const { id } = own;
  if (isPublished) {
    expect((await own.post('publish')).status).toBe(200);
  }
  return {
    ...own,
    path: meetingsPath(id),
    of: { id, ownerId: own.user.id },
    change: (meetingId: string | undefined, patch: object, options = {}) =>
      own.send<Meeting>('PATCH', meetingsPath(id, meetingId), patch, options),
    /** Deletes or cancels a session. */
    drop: (meetingId = '') => own.send('DELETE', meetingsPath(id, meetingId)),
  };
}

/** Sets the clock before each test of the file. */
export function startAt(now: string): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
  });
}

/** Another cohort of the same instructor. */
export async function createNextPlace(place: Awaited<ReturnType<typeof createPlace>>) {
  const path = `/api/courses/${place.course.id}/cohorts/`;
  const cohort = await createCohort({ ...place, path }, year);
  return { ...place, cohort, path: meetingsPath(cohort.id) };
}

export function meetingsPath(cohortId: string, meetingId?: string): string {
  const suffix = meetingId === undefined ? '' : `${meetingId}/`;
  return cohortPath(cohortId, `meetings/${suffix}`);
}

type Place = { client: Client; path: string };

export async function addMeetings({ client, path }: Place, values = {}): Promise<Meeting[]> {
  const { status, body } = await client.send<Meeting[]>('POST', path, { ...evening, ...values });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

export async function addMeeting(place: Place, values = {}): Promise<Meeting> {
  const [meeting] = await addMeetings(place, values);
  if (meeting === undefined) {
    throw new Error('None was created');
  }
  return meeting;
}

export async function planMeetings({ client, path }: Place, values = {}) {
  const input = { ...evening, ...values, dry_run: true };
  return (await client.send<PlannedMeeting[]>('POST', path, input)).body;
}

export async function readMeetings({ client, path }: Place): Promise<Meeting[]> {
  return (await client.send<Meeting[]>('GET', path)).body;
}

export async function meetingRowOf(id = '') {
  const [row] = await db.select().from(meetings).where(eq(meetings.id, id));
  return row;
}
