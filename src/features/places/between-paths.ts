/** Apart from the other paths, because few pages need them. */
export const betweenPaths = {
  /** Moves someone to another cohort. */
  transfer: (id: string, enrollment: string) =>
    `/api/cohorts/${id}/enrollments/${enrollment}/transfer/` as const,
  /** Of people who would like to know when enrollment of a course opens. */
  interests: (slug: string) => `/api/public/courses/${slug}/interests/` as const,
  confirmInterest: '/api/public/interests/confirm/',
  forgetInterest: '/api/public/interests/forget/',
} as const;
