/** The dialog that asks before someone is removed. */
export const removeDialogId = 'remove-person';

/** The choice that lets someone in although all places are taken. */
export const overCapacity = 'over';

/** What changes where someone stands in a cohort. */
export type EnrollmentMove = 'add' | 'approve' | 'offer' | 'refuse' | 'remove' | 'withdraw';

/** What only the pages of people call of the API, so that no other page loads it. */
export const rosterPaths = {
  enrollmentsOf: (cohortId: string) => `/api/cohorts/${cohortId}/enrollments/` as const,
  enrollmentMove: (cohortId: string, enrollment: string, move: EnrollmentMove) =>
    `/api/cohorts/${cohortId}/enrollments/${enrollment}/${move === 'add' ? 'accept' : move}/` as const,
} as const;
