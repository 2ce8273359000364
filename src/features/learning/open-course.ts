import 'server-only';
import type { Context, LearnerDevice } from '#context.ts';
import { ask } from '#db/query.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { AppError } from '#lib/app-error.ts';
import { isGenuine, readLink } from '#lib/signed-links.ts';
import { remember } from './device.ts';
import { areOfPeople, type PlaceRow, peopleRows, placeRows } from './find-learner.ts';
import { learningPaths } from './learning-paths.ts';
import type { Opened, OpenInput } from './schema.ts';

/**
 * Makes the browser remember the person of a link, and says where their lessons are.
 *
 * @throws AppError `person_link_invalid` for a link that is not ours or was replaced;
 *   `lessons_not_open` if they are not enrolled where there are lessons; `rate_limited`
 */
export async function openCourse(
  ctx: Context,
  device: LearnerDevice,
  { link, course_id: courseId }: OpenInput,
): Promise<Opened> {
  // The same work for a person who does not exist.
  const { id, mac } = readLink('person', link) ?? { id: '', mac: '' };
  const ids = JSON.stringify([id]);
  const limit = await limitOn(ctx, [{ limit: 'participation_per_ip' }], 'allow');
  const {
    people: [person],
    places,
    usage,
  } = await ask(ctx, {
    people: peopleRows({ ids }),
    places: placeRows({ where: areOfPeople({ ids }) }),
    usage: limit.count(),
  });
  refuseFull(ctx, usage.full);
  const linkVersion = person?.linkVersion ?? 0;
  if (!(await isGenuine(ctx, 'person', { id, mac, linkVersion })) || person === undefined) {
    ctx.observe.log('person_link_refused', { kind: 'person' });
    throw new AppError('person_link_invalid');
  }
  const opened = wayIn(ctx, places, courseId);
  await remember(ctx, device, person);
  return opened;
}

/**
 * Where someone reads: in one course, or on the page of all.
 *
 * @param places all of theirs
 * @param courseId the only course that will do
 * @throws AppError `lessons_not_open` if there is nothing to read
 */
export function wayIn(
  ctx: Pick<Context, 'observe'>,
  places: PlaceRow[],
  courseId: string | undefined,
): Opened {
  const open = places.filter((place) => place.of > 0);
  const courses = [...new Set(open.map((place) => place.courseId))].filter(
    (id) => courseId === undefined || id === courseId,
  );
  const [first] = courses;
  if (first === undefined) {
    throw new AppError('lessons_not_open');
  }
  ctx.observe.log('course_opened');
  return {
    redirect_to: courses.length === 1 ? learningPaths.course(first) : learningPaths.courses,
  };
}
