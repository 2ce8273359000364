import { driveCleanUp, driveOften, driveWebhooks } from './drive-clock.ts';
import { driveCohortPages, driveCohorts, driveCourses, drivePublicPages } from './drive-cohorts.ts';
import { putEnds } from './drive-ends.ts';
import { driveLearnerPages, driveParticipants } from './drive-participants.ts';
import { drivePayments } from './drive-payments.ts';
import {
  driveAccount,
  driveCodes,
  driveGoogle,
  driveLogin,
  drivePages,
  driveSignUp,
} from './drive-sign-in.ts';
import { type Drive, type Operation, record } from './driver.ts';
import {
  createCaller,
  type ExampleCall,
  examplesByFeature,
  fillIn,
  keepThings,
} from './examples.ts';

/**
 * Everything that the app can do with its database, by the feature: the examples of its routes, and
 * what these do not have, such as other ways through a verb and the reads of pages.
 */
export const drives: Record<string, Drive> = {
  ...Object.fromEntries(
    Object.entries(examplesByFeature).map(([feature, calls]) => [feature, driveExamples(calls)]),
  ),
  ...driveParticipants,
  'pages of learners': driveLearnerPages,
  'pages and public routes': drivePages,
  'courses, otherwise': driveCourses,
  'cohorts, otherwise': driveCohorts,
  'pages of cohorts': driveCohortPages,
  'public pages and calendars': drivePublicPages,
  'sign-up': driveSignUp,
  login: driveLogin,
  'login by code': driveCodes,
  account: driveAccount,
  Google: driveGoogle,
  webhooks: driveWebhooks,
  payments: drivePayments,
  'clock: every 5 minutes': driveOften,
  'clock: clean-up': driveCleanUp,
};

/** Drives it all. */
export async function driveApp(): Promise<Operation[]> {
  await putEnds();
  const recorded = await Array.fromAsync(Object.values(drives), (drive) => record(drive));
  return recorded.flat();
}

/** One caller makes the calls of a feature. */
function driveExamples(calls: ExampleCall[]): Drive {
  return async ({ call }) => {
    const { client, things } = await createCaller();
    for (const example of calls) {
      const { method, path, input } = fillIn(example, things);
      const request = `${method} ${path} ${example.status}`;
      const response = await call(`${method} ${example.path}`, client, request, input);
      keepThings(example, things, await response.text(), path);
    }
  };
}
