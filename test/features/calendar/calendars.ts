import ical, { type VEvent } from 'node-ical';
import type { Calendar, CohortEntry, MeetingEntry } from '#features/calendar/find-calendars.ts';

export const host = 'lectern.test';

/** What a session and the days of a cohort have in common. */
const entry = {
  text: null,
  place: null,
  url: null,
  sequence: 0,
  updatedAt: new Date('2026-12-01T08:30:15.250Z'),
};

/** A session on a Tuesday evening in Paris. */
export function meeting(values: Partial<MeetingEntry> = {}): MeetingEntry {
  return {
    ...entry,
    kind: 'meeting',
    id: '0b0e6f0c-3d42-4a3e-9a6f-0d8a3f1c2b5e',
    title: 'Scenes',
    startsLocal: '2027-01-05T18:00',
    startsAt: new Date('2027-01-05T17:00:00Z'),
    durationMinutes: 90,
    timeZone: 'Europe/Paris',
    isCanceled: false,
    ...values,
  };
}

export function cohort(values: Partial<CohortEntry> = {}): CohortEntry {
  return {
    ...entry,
    kind: 'cohort',
    id: '7f3d2c1b-8a90-4f5e-b6d7-1c2e3a4b5d6f',
    title: 'Writing in spring',
    startsOn: '2027-01-04',
    endsOn: '2027-02-12',
    ...values,
  };
}

/** A Tuesday and a Thursday without class. */
export function noClass(values: Partial<CohortEntry> = {}): CohortEntry {
  return {
    ...entry,
    kind: 'off',
    id: '5a9c3e1d-2b47-4c8f-9d60-8e7f6a5b4c3d',
    title: 'No class',
    startsOn: '2027-01-19',
    endsOn: '2027-01-21',
    ...values,
  };
}

export function calendar(values: Partial<Calendar> = {}): Calendar {
  const entries = [cohort(), meeting()];
  return { name: 'Writing in spring', language: 'en', host, entries, ...values };
}

/** What another program reads in a file. */
export function eventsIn(file: string): VEvent[] {
  return Object.values(ical.sync.parseICS(file)).filter(
    (one): one is VEvent => one?.type === 'VEVENT',
  );
}

/** The lines of a file as they were before they were folded. */
export function linesOf(file: string): string[] {
  return file.replaceAll('\r\n ', '').split('\r\n');
}
