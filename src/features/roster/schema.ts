import * as z from 'zod/mini';
import { settleFields } from '#features/ledger/schema.ts';
import { code, email, language, personName } from '#features/places/person-fields.ts';
import { plainText } from '#lib/validation-rule.ts';

const overCapacity = z
  ._default(z.boolean(), false)
  .check(z.describe('Whether to add them although all places are taken'));

/** Whether those are told who are moved, removed or turned down. */
const notify = z._default(z.boolean(), true);

/** Someone whom the owner adds or invites. */
export const PersonInput = z.strictObject({
  as: z
    .enum(['enrolled', 'invited', 'waitlisted'], code('unknown_value'))
    .check(
      z.describe(
        'enrolled: at once, without asking. invited: when they accept; an invitation keeps no place. waitlisted: at its end, until a place is offered to them',
      ),
    ),
  name: personName(),
  email,
  language: z.optional(language),
  over_capacity: overCapacity,
});
export type PersonInput = z.output<typeof PersonInput>;

/** How the owner moves someone. */
export const MovePersonInput = z.strictObject({ over_capacity: overCapacity, notify });
export type MovePersonInput = z.output<typeof MovePersonInput>;

/** How the owner marks someone as left. */
export const LeftInput = z.strictObject({
  ...settleFields,
  note: z
    ._default(plainText(300, 'entry_note_too_long'), null)
    .check(z.describe('For the owner; the person may ask to read it')),
  notify,
});
export type LeftInput = z.output<typeof LeftInput>;

/** The cohort to which the owner moves someone. */
export const TransferInput = z.strictObject({
  cohort_id: z.string(code('unknown_value')),
  over_capacity: overCapacity,
  notify,
});
export type TransferInput = z.output<typeof TransferInput>;

const several = z
  .array(z.string(code('unknown_value')), code('unknown_value'))
  .check(z.minLength(1, code('unknown_value')), z.maxLength(200, code('unknown_value')));

/** Whom the owner removes or turns down at once. */
export const RemovePeopleInput = z.strictObject({ enrollments: several, notify });
export type RemovePeopleInput = z.output<typeof RemovePeopleInput>;

export const RemovedPeople = z.object({ removed: z.number() });

export const RefusedPeople = z.object({ refused: z.number() });

/** Whom of those who ask for a place the owner lets in at once. */
export const ApprovePeopleInput = z.strictObject({
  enrollments: several,
  over_capacity: overCapacity,
});
export type ApprovePeopleInput = z.output<typeof ApprovePeopleInput>;

/** What has become of them; whom it does not count stands where they stood. */
export const ApprovedPeople = z.object({
  enrolled: z.int(),
  offered: z.int().check(z.describe('Who has to pay for a place first, which is kept for them')),
  waitlisted: z.int(),
});
export type ApprovedPeople = z.infer<typeof ApprovedPeople>;
