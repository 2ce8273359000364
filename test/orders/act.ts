import type { Place, World } from './world.ts';

/** What an action is about: someone, one of the cohorts, a number from 0 to 9, and a key. */
export type About = {
  person: World['people'][number];
  cohort: World['cohorts'][number];
  number: number;
  key: string;
};
export type Act<Result = unknown> = (world: World, about: About) => Promise<Result>;

/** One of several, by a number from 0 to 9. */
export function pick<One>(ones: readonly One[], number: number): One {
  // There is one at this index.
  return ones[number % ones.length] as One;
}

/** Acts on someone's place: in the cohort, or wherever they are. */
export async function withPlace<Result>(
  world: World,
  { person, cohort }: About,
  act: (place: Place) => Result,
): Promise<Awaited<Result> | null> {
  const place = await world.placeOf(person.email, cohort.id);
  return place && (await act(place));
}

/** Something that the owner does to someone's enrollment. */
export function moving(move: string, more: (about: About) => object = () => ({})): Act {
  return (world, about) =>
    withPlace(world, about, ({ id, cohort }) =>
      world.byOwner('POST', `/api/cohorts/${cohort}/enrollments/${id}/${move}/`, more(about)),
    );
}
