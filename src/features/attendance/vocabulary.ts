import { ownRows } from '#db/personal-data.ts';
import { attendance } from '#db/schema/meetings.ts';
import { msg } from '#i18n/msg.ts';
import type { Errors, LimitRates } from '#lib/vocabulary.ts';
import { AttendanceMark } from './schema.ts';

export const errors = {
  attendance_too_early: {
    status: 422,
    text: msg`Attendance can be marked from an hour before a session begins.`,
  },
  cohort_not_over: {
    status: 422,
    text: msg`This cohort hasn’t ended yet. You can still complete people before its last day, if you choose to.`,
  },
} satisfies Errors;

export const limits = { attendance_per_cohort: ['240/m'] } as const satisfies LimitRates;

export const events = { people_completed: true };

export const exported = {
  attendance: ownRows(attendance, { fields: AttendanceMark.shape }),
};
