import { accounts } from './accounts.ts';
import { auth } from './auth.ts';
import { built } from './built.ts';
import { calendar } from './calendar.ts';
import { cohorts } from './cohorts.ts';
import { enrolling } from './enrolling.ts';
import { faults } from './faults.ts';
import { limits } from './limits.ts';
import { meetings } from './meetings.ts';
import { outbox } from './outbox.ts';
import { payments } from './payments.ts';
import { people } from './people.ts';
import { reminders } from './reminders.ts';
import { requests } from './requests.ts';
import { rosterFiles } from './roster-files.ts';

/** A change that removes a protection, and the tests that must notice. */
export type Mutation = {
  /** Its number and rules; see docs/security.md. */
  defense: string;
  file: string;
  /** Occurs in the file exactly once. */
  find: string;
  replace: string;
  project: 'workerd' | 'built';
  /** The test file that must fail, below `test`. */
  tests: string;
  /** Matches the name of at least one test that must fail. */
  named: RegExp;
};

export const mutations: Mutation[] = [
  ...built,
  ...auth,
  ...requests,
  ...limits,
  ...accounts,
  ...cohorts,
  ...enrolling,
  ...faults,
  ...meetings,
  ...outbox,
  ...payments,
  ...people,
  ...reminders,
  ...rosterFiles,
  ...calendar,
];
