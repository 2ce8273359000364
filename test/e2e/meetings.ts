import type { Page } from '@playwright/test';
import { type Cohort, dayFromToday } from './cohorts.ts';
import { askApi } from './support.ts';

export type Meeting = { id: string; title: string; starts_local: string };

/** Sessions of a cohort, by the API: one, or several a week apart. */
export async function addMeetings(
  page: Page,
  { id }: Pick<Cohort, 'id'>,
  values: { title: string; starts_local?: string; [field: string]: unknown },
): Promise<Meeting[]> {
  const input = {
    starts_local: `${dayFromToday(3)}T18:00`,
    duration_minutes: 90,
    ...values,
  };
  return (await askApi(page, 'POST', `/api/cohorts/${id}/meetings/`, input)) as Meeting[];
}
