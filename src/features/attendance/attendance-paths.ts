/** The addresses of attendance, which few pages load. */
export const attendancePaths = {
  ofMeeting: (cohortId: string, meetingId: string) =>
    `/api/cohorts/${cohortId}/meetings/${meetingId}/marks/` as const,
  file: (cohortId: string) => `/api/cohorts/${cohortId}/attendance.csv` as const,
  complete: (cohortId: string) => `/api/cohorts/${cohortId}/completions/` as const,
};
