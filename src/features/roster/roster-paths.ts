/** The dialog that asks before someone is removed. */
export const removeDialogId = 'remove-person';

/** The choice that lets someone in although all places are taken. */
export const overCapacity = 'over';

/** What changes where someone stands in a cohort. */
export type EnrollmentMove = 'add' | 'approve' | 'offer' | 'refuse' | 'remove' | 'withdraw';

/** The address of the API of such a change. Here, so that no other page loads it. */
export function movePath(cohortId: string, enrollment: string, move: EnrollmentMove) {
  return `/api/cohorts/${cohortId}/enrollments/${enrollment}/${move === 'add' ? 'accept' : move}/` as const;
}
