import type { I18n } from '@lingui/core';
import { validation as ofCohorts } from '#features/cohorts/vocabulary.ts';
import { validation as ofMeetings } from '#features/meetings/vocabulary.ts';
import { type FormMessages, formMessages } from '#i18n/validation.ts';

const texts = { ...ofCohorts, ...ofMeetings };

/** The messages of the form for a new cohort with its sessions. */
export function newCohortMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, texts);
}
