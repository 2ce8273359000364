/** The addresses of live sessions, which few pages load. */
export const meetingPaths = {
  schedule: (cohortId: string) => `/cohorts/${cohortId}/schedule` as const,
  add: (cohortId: string) => `/cohorts/${cohortId}/schedule/new` as const,
  /** Where several are added, a week apart. */
  addWeekly: (cohortId: string) => `/cohorts/${cohortId}/schedule/weekly` as const,
  /** Where all of them are changed at once; `off` is one that becomes a day off. */
  table: (cohortId: string, off?: string) =>
    `/cohorts/${cohortId}/schedule/all${off === undefined ? '' : `?off=${off}`}` as const,
  page: (cohortId: string, id: string) => `/cohorts/${cohortId}/schedule/${id}` as const,
  /** The attendance sheet, on paper; `after` is the last one of the page before. */
  attendance: (cohortId: string, after?: string) =>
    `/cohorts/${cohortId}/attendance${after === undefined ? '' : `?after=${after}`}` as const,
  /** That someone has completed a cohort, on paper. */
  attestation: (cohortId: string, enrollment: string) =>
    `/cohorts/${cohortId}/attestation/${enrollment}` as const,
  /** All sessions and days off as one table, in the API. */
  wholeSchedule: (cohortId: string) => `/api/cohorts/${cohortId}/schedule/` as const,
  ofCohort: (cohortId: string) => `/api/cohorts/${cohortId}/meetings/` as const,
  one: (cohortId: string, id: string) => `/api/cohorts/${cohortId}/meetings/${id}/` as const,
};
