import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { commonMiddleware } from '#common-middleware.ts';
import type { meetings } from '#db/schema/meetings.ts';
import { feedAddress } from '#features/calendar/change-feed.ts';
import { calendars } from '#features/calendar/serve-calendars.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { origin } from '#support/client.ts';
import { contextOn } from '#support/context.ts';
import {
  createCohortRow,
  createCourseRow,
  createMeetingRow,
  createSignedInClient,
} from '#support/factories.ts';
import { sawSecret } from '#support/secrets.ts';

const site = new Hono<HonoEnv>()
  .use(...commonMiddleware('pages'), calendars())
  .all('*', (c) => c.text('a page', 418));

/** Reads a calendar as a program does. */
export async function read(
  address: string,
  init: RequestInit = {},
  bindings: object = env,
): Promise<Response> {
  const execution = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} };
  return site.request(new URL(address, origin).href, init, bindings, execution);
}

export async function feedOf(kind: 'p' | 'i', id: string, version = 1): Promise<string> {
  const feed = { kind: kind === 'p' ? 'personFeed' : 'ownerFeed', id } as const;
  const address = await feedAddress(contextOn(), { ...feed, linkVersion: version });
  sawSecret(/\.([0-9a-f]{64})\./.exec(address)?.[1] ?? '');
  return address;
}

/** An instructor with a published cohort. */
export async function createTeacher(values: Parameters<typeof createCohortRow>[1] = {}) {
  const teacher = await createSignedInClient();
  const course = await createCourseRow(teacher.user.id, { name: 'Fiction', courseType: 'cohort' });
  const cohort = await createCohortRow(course, { publishedAt: new Date(), ...values });
  return { ...teacher, course, cohort };
}

export async function createMeeting(
  cohort: { id: string; ownerId: string },
  values: Partial<typeof meetings.$inferInsert> = {},
) {
  return createMeetingRow(cohort, { joinUrl: 'https://meet.example.com/a-secret-room', ...values });
}
