import 'server-only';
import type { Context, LearnerDevice } from '#context.ts';
import { isGenuine, readLink, sealLink } from '#lib/signed-links.ts';
import { dayMs } from '#lib/time/calendar.ts';

/** For how many days a browser is remembered after its last visit. */
export const rememberedDays = 180;

/** How long the code of an email works, and the cookie of the attempt that asked for it. */
export const codeLifetimeSeconds = 10 * 60;

/** For how many people a browser is remembered at once: of several instructors, or who share it. */
const mostPeople = 4;

const separator = '~';

/** What signs the entry of a person: a higher version ends it, as it ends their links. */
type Signed = { id: string; linkVersion: number };

/** An entry of the cookie, whose signature is not checked yet. */
export type DeviceEntry = { id: string; day: number; mac: string };

/** The entries of a cookie, those that were used last first, without those that are over. */
export function entriesOf({ now }: Pick<Context, 'now'>, { cookie }: LearnerDevice): DeviceEntry[] {
  const today = dayOf(now());
  const entries = (cookie ?? '')
    .split(separator)
    .slice(0, mostPeople)
    .map((text) => readLink('device', text));
  return entries.filter(
    (entry): entry is DeviceEntry =>
      entry !== null && entry.day <= today && entry.day > today - rememberedDays,
  );
}

/**
 * Those of the people for whom the browser is remembered, whose link was used last first: their row
 * has the version that was signed. At most once a day, the cookie is then set again, with these people only and for another
 * half year; the database is not written.
 *
 * @param people the rows of the entries' ids
 */
export async function rememberedOf<Person extends Signed>(
  ctx: Context,
  device: LearnerDevice,
  people: Person[],
): Promise<Person[]> {
  const checked = await Promise.all(
    entriesOf(ctx, device).map(async (entry) => {
      const person = people.find(({ id }) => id === entry.id);
      const { linkVersion = 0 } = person ?? {};
      return (await isGenuine(ctx, 'device', { ...entry, linkVersion })) ? person : undefined;
    }),
  );
  const remembered = [...new Set(checked.filter((person) => person !== undefined))];
  await writeCookie(ctx, device, remembered);
  return remembered;
}

/** Makes the browser remember a person, too; the least recently used one may have to go. */
export async function remember(
  ctx: Context,
  device: LearnerDevice,
  { id, linkVersion }: Signed,
): Promise<void> {
  const entry = await sealEntry(ctx, { id, linkVersion });
  const others = (device.cookie ?? '')
    .split(separator)
    .filter((text) => text !== '' && readLink('device', text)?.id !== id);
  device.cookie = [entry, ...others].slice(0, mostPeople).join(separator);
}

/** Until when a browser that is used now is remembered. */
export function rememberedUntil({ now }: Pick<Context, 'now'>): Date {
  return new Date((dayOf(now()) + rememberedDays) * dayMs);
}

async function writeCookie(ctx: Context, device: LearnerDevice, people: Signed[]): Promise<void> {
  const entries = await Promise.all(people.map((person) => sealEntry(ctx, person)));
  device.cookie = entries.length === 0 ? null : entries.join(separator);
}

function sealEntry(ctx: Context, { id, linkVersion }: Signed): Promise<string> {
  return sealLink(ctx, 'device', { id, linkVersion, day: dayOf(ctx.now()) });
}

function dayOf(date: Date): number {
  return Math.floor(date.getTime() / dayMs);
}
