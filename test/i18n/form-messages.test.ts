import type { I18n } from '@lingui/core';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { $ZodType } from 'zod/v4/core';
import { accountMessages } from '#features/account-settings/form-messages.ts';
import { cohortMessages, noteMessages } from '#features/cohorts/cohort-messages.ts';
import { CohortInput, CohortPatch, TrashInput } from '#features/cohorts/schema.ts';
import { courseMessages } from '#features/courses/form-messages.ts';
import { CourseInput, CoursePatch } from '#features/courses/schema.ts';
import { EnrollmentRequestInput, InterestInput } from '#features/enrolling/schema.ts';
import { AccountPatch, ProfileInput } from '#features/identity/account-schema.ts';
import { LoginInput, SignUpInput } from '#features/identity/schema.ts';
import { entryMessages } from '#features/ledger/ledger-words.ts';
import { LedgerInput } from '#features/ledger/schema.ts';
import { meetingMessages } from '#features/meetings/form-messages.ts';
import { MeetingInput, MeetingPatch } from '#features/meetings/schema.ts';
import { messageFormMessages } from '#features/messages/message-sections.tsx';
import { AnnouncementInput, MessageInput } from '#features/messages/schema.ts';
import { NewLinkInput, ParticipantPatch } from '#features/participant/schema.ts';
import {
  enrollmentMessages,
  interestMessages,
  peopleMessages,
} from '#features/places/form-messages.ts';
import { PersonPatch } from '#features/places/schema.ts';
import { NewAddressInput } from '#features/rights/schema.ts';
import { PersonInput } from '#features/roster/schema.ts';
import { authMessages } from '#features/sign-in/form-messages.ts';
import { i18nFor } from '#i18n/server.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { validationTexts } from '#vocabulary.ts';

const forms: [name: string, messages: (i18n: I18n) => FormMessages, schema: $ZodType][] = [
  ['to log in', authMessages, LoginInput],
  ['to sign up', authMessages, SignUpInput],
  ['of a profile', accountMessages, ProfileInput],
  ['for an account', accountMessages, AccountPatch],
  ['for a new course', courseMessages, CourseInput],
  ['for a course', courseMessages, CoursePatch],
  ['for a new cohort', cohortMessages, CohortInput],
  ['for a cohort', cohortMessages, CohortPatch],
  ['before the trash', noteMessages, TrashInput],
  ['for new live sessions', meetingMessages, MeetingInput],
  ['for a live session', meetingMessages, MeetingPatch],
  ['for a message', messageFormMessages, MessageInput],
  ['for an announcement', messageFormMessages, AnnouncementInput],
  ['for an entry of a ledger', entryMessages, LedgerInput],
  ['to add a person', peopleMessages, PersonInput],
  ['for a person', peopleMessages, PersonPatch],
  ['for participants', peopleMessages, ParticipantPatch],
  ['for a new link', peopleMessages, NewLinkInput],
  ['for a new address', peopleMessages, NewAddressInput],
  ['to enroll', enrollmentMessages, EnrollmentRequestInput],
  ['to be told of a cohort', interestMessages, InterestInput],
];

const wrong = [
  ...[undefined, null, '', ' ', 'a', 'not one', 'abc\u0000', 'a.b', 'http://x', 'T', 'T10:00'],
  ...['x'.repeat(60), 'x'.repeat(12_000), -1, 0, 1e12, 0.5, {}, []],
];

/** No one types these: they are chosen from a list or sent by the form itself. */
const chosen = ['unknown_value', 'language_required', 'consent_required'];

test.each(forms)(
  'the form %s has a message for each refusal of its schema',
  (_, messages, schema) => {
    const { shape } = schema._zod.def as unknown as { shape: Record<string, unknown> };
    const codes = Object.keys(shape).flatMap((field) =>
      wrong.flatMap(
        (value) =>
          z
            .safeParse(schema, { [field]: value })
            .error?.issues.filter(({ path }) => path[0] === field)
            .map(({ message }) => message) ?? [],
      ),
    );
    const ours = [...new Set(codes)].filter((code) => code in validationTexts);

    expect(ours.length).toBeGreaterThan(0);
    const texts = messages(i18nFor('fr'));
    expect(ours.filter((code) => !chosen.includes(code) && !(code in texts))).toEqual([]);
    // Made once: what is made for each page would stay in memory.
    expect(messages(i18nFor('fr'))).toBe(texts);
  },
);
