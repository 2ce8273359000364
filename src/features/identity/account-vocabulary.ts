import { eq } from 'drizzle-orm';
import type { CountedFor, Erasure } from '#db/personal-data.ts';
import { users } from '#db/schema/users.ts';
import { msg } from '#i18n/msg.ts';
import type { LimitRates, ValidationTexts } from '#lib/vocabulary.ts';

export const validation = {
  name_required: msg`Name is required`,
  first_name_required: msg`First name is required`,
  last_name_required: msg`Last name is required`,
  name_too_short: msg`Name must be at least 2 characters`,
  name_too_long: msg`Name must be less than 50 characters`,
  name_characters: msg`Use only letters, spaces, apostrophes, hyphens and periods`,
  name_full_stop: msg`Add a space after each period`,
  email_required: msg`Email address is required`,
  email_invalid: msg`Please enter a valid email address`,
  language_required: msg`Please choose English or French`,
} satisfies ValidationTexts;

export const limits = {
  address_changes_per_user: ['5/d'],
  exports_per_user: ['3/d'],
} as const satisfies LimitRates;

export const events = {
  account_changed: true,
  account_deleted: true,
  account_exported: true,
  address_change_requested: true,
};

export const countedFor = {
  address_changes_per_user: ({ id }) => [id],
  exports_per_user: ({ id }) => [id],
} satisfies Record<string, CountedFor>;

export const erased = {
  users: (db, { id }) => db.delete(users).where(eq(users.id, id)),
} satisfies Record<string, Erasure>;
