import * as z from 'zod/mini';
import { ownRows } from '#db/personal-data.ts';
import { blockedAddresses, cohortErasures } from '#db/schema/people.ts';
import { blockReasons, enrollmentActors } from '#db/values.ts';
import { msg } from '#i18n/msg.ts';
import type { Errors } from '#lib/vocabulary.ts';

export const errors = {
  address_in_use: {
    status: 422,
    text: msg`This address is known to the instructor already, with places of its own.`,
  },
  rights_link_invalid: {
    status: 400,
    text: msg`This link no longer works. You can ask for a new one on your page.`,
  },
} satisfies Errors;

export const events = {
  people_removed: true,
  person_exported: true,
  person_erased: true,
};

export const exported = {
  /** What outlives an erasure, without whom it is about. */
  blocked_addresses: ownRows(blockedAddresses, {
    except: ['hash'],
    fields: { reason: z.enum(blockReasons) },
  }),
  cohort_erasures: ownRows(cohortErasures, {
    except: ['id'],
    fields: { actor: z.enum(enrollmentActors) },
  }),
};
