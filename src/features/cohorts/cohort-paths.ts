/** What only the pages of cohorts call of the API, so that no other page loads it. */
export const cohortPaths = {
  ofCourse: (courseId: string) => `/api/courses/${courseId}/cohorts/` as const,
  /** What changes a cohort as a whole, and back. */
  change: <Change extends 'publish' | 'unpublish' | 'archive' | 'unarchive' | 'restore'>(
    id: string,
    change: Change,
  ) => `/api/cohorts/${id}/${change}/` as const,
  move: (id: string) => `/api/cohorts/${id}/move/` as const,
  copy: (id: string) => `/api/cohorts/${id}/duplicate/` as const,
  money: (id: string) => `/api/cohorts/${id}/money/` as const,
  purge: (id: string) => `/api/cohorts/${id}/purge/` as const,
} as const;
