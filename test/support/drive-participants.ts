import {
  findLearnerCourse,
  findLearnerCourses,
  findLearnerLesson,
  findWholeCourse,
} from '#features/learning/find-learner.ts';
import { findOwnCertificate } from '#features/learning/find-own-certificate.ts';
import type { Drive } from './driver.ts';
import { createCaller } from './examples.ts';
import { createUser } from './factories.ts';
import { createLearner } from './learners.ts';
import { participantCalls } from './participants.ts';

/** The calls of people without an account, and those that name one of them, by their first noun. */
export const driveParticipants: Record<string, Drive> = Object.fromEntries(
  Object.entries(Object.groupBy(Object.keys(participantCalls), nounOf)).map(
    ([noun, requests = []]) => [`participants: /api/${noun}/`, driveRequests(requests)],
  ),
);

function nounOf(request: string): string {
  return request.split('/')[2] ?? '';
}

function driveRequests(requests: string[]): Drive {
  return async ({ call }) => {
    for (const request of requests) {
      const { client, user } = await createCaller();
      const { ids = [], body, cookie } = (await participantCalls[request]?.(user.id)) ?? {};
      const left = [...ids];
      const filled = request.replace(/\{\w+\}/g, () => String(left.shift()));
      const options = cookie === undefined ? {} : { headers: { Cookie: cookie } };
      await call(request.replace(/[?]\S+| \d+$/g, ''), client, filled, body, options);
    }
  };
}

export const driveLearnerPages: Drive = async ({ drive, ctx }) => {
  const { course, lessons, device } = await createLearner({}, (await createUser()).id);
  for (const [name, read] of [
    ['all courses', () => findLearnerCourses(ctx, device)],
    ['a course', () => findLearnerCourse(ctx, device, course.id)],
    ['a lesson', () => findLearnerLesson(ctx, device, course.id, lessons[0])],
    ['all lessons', () => findWholeCourse(ctx, device, course.id)],
    ['a certificate', () => findOwnCertificate(ctx, device, course.id)],
  ] as const) {
    await drive(`page of a learner: ${name}`, read);
  }
};
