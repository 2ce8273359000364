import 'server-only';
import { dayMs } from '#lib/time/calendar.ts';
import { toJson } from '#lib/to-json.ts';
import { isSameSecret, sign } from '#lib/tokens.ts';
import { ShownFile } from './schema.ts';

type Keyed = { config: { appSecret: string }; now: () => Date };

const use = 'file addresses, version 1';

/** What a page needs of the row of a file. */
export type FileRow = {
  key: string;
  objectKey: string;
  name: string;
  contentType: string;
  size: number;
  width: number | null;
  height: number | null;
};

/**
 * Where a file can be read, by whoever has the address, until the end of tomorrow in UTC. It is the
 * same all day, so that the browser's cache can answer.
 */
export async function addressOf(
  ctx: Keyed,
  { objectKey, name }: Pick<FileRow, 'objectKey' | 'name'>,
): Promise<string> {
  const [lastDay, escaped] = [dayNumber(ctx) + 1, encodeURIComponent(name)];
  const mac = await macOf(ctx, objectKey, lastDay, escaped);
  return `/files/${objectKey}/${lastDay}.${mac}/${escaped}`;
}

/** Files as pages show them. */
export function toShown(ctx: Keyed, rows: readonly FileRow[]): Promise<ShownFile[]> {
  return Promise.all(
    rows.map(async (row) => toJson(ShownFile, { ...row, url: await addressOf(ctx, row) })),
  );
}

/** The key of the object that a path leads to; null if it was not signed, or has ended. */
export async function openAddress(ctx: Keyed, path: string): Promise<string | null> {
  const [, objectKey = '', lastDay = '', mac = '', name = ''] =
    /^\/files\/([a-z0-9]{26})\/(\d{1,6})\.([0-9a-f]{64})\/([^/]+)$/.exec(path) ?? [];
  const isOurs =
    objectKey !== '' &&
    (await isSameSecret(mac, await macOf(ctx, objectKey, Number(lastDay), name)));
  return isOurs && Number(lastDay) >= dayNumber(ctx) ? objectKey : null;
}

function macOf({ config }: Keyed, objectKey: string, lastDay: number, name: string) {
  return sign(`file:${objectKey}:${lastDay}:${name}`, config.appSecret, use);
}

/** Days since 1970, in UTC. */
function dayNumber({ now }: Keyed): number {
  return Math.floor(now().getTime() / dayMs);
}
