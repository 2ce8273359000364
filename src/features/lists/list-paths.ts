/** The addresses of lists of people, which few pages load. */
export const listPaths = {
  /** Where people are brought in from a list. */
  page: (cohortId: string) => `/cohorts/${cohortId}/import` as const,
  imports: (cohortId: string) => `/api/cohorts/${cohortId}/imports/` as const,
  /** Everyone of a cohort as a file. */
  file: (cohortId: string) => `/api/cohorts/${cohortId}/roster.csv` as const,
  approved: (cohortId: string) => `/api/cohorts/${cohortId}/enrollments/approve/` as const,
  refused: (cohortId: string) => `/api/cohorts/${cohortId}/enrollments/refuse/` as const,
  removed: (cohortId: string) => `/api/cohorts/${cohortId}/enrollments/remove/` as const,
};
