import { askOnce } from './client.ts';
import { addCohorts } from './cohorts.ts';
import { median, printComparisons } from './figures.ts';
import { withLectern } from './lectern.ts';
import type { SignedIn } from './people.ts';
import { cpuOf, requireProcessAccounting } from './workerd.ts';

const cohorts = 50;
const sessions = 20;
const rounds = 7;
const requests = 40;
const warmUpRequests = 200;

/**
 * Reads the feed of an instructor with 50 cohorts of 20 sessions each, and the page that lists
 * these cohorts. Prints how much more CPU the feed takes.
 */
export async function benchCalendars(): Promise<void> {
  requireProcessAccounting();
  await withLectern({}, async ({ workerd, address, database, person }) => {
    await addCohorts(database, person, cohorts, sessions);
    const list = { path: '/cohorts', headers: { cookie: person.cookie } };
    const feed = { path: await feedOf(address, person) };
    const { body } = await askOnce(address, feed);
    const entries = body.split('BEGIN:VEVENT').length - 1;
    if (entries !== cohorts * (sessions + 1)) {
      throw new Error(`The feed has ${entries} entries.`);
    }
    for (const ask of [list, feed]) {
      await cpuOf(workerd, address, ask, warmUpRequests);
    }
    const [ofList, ofFeed]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      ofList.push(await cpuOf(workerd, address, list, requests));
      ofFeed.push(await cpuOf(workerd, address, feed, requests));
    }
    const size = `${Math.round(body.length / 1000)} kB`;
    printComparisons(`${cohorts} cohorts with ${cohorts * sessions} sessions, ${size}`, [
      {
        what: 'CPU of the feed / of the list of cohorts',
        of: ofFeed,
        over: ofList,
        aim: 2,
        isHeld: true,
      },
    ]);
    console.log(`\nA list takes ${median(ofList).toFixed(1)} ms on this machine.`);
  });
}

async function feedOf(address: URL, { cookie }: SignedIn): Promise<string> {
  const [, token = ''] = /csrftoken=([^;]+)/.exec(cookie) ?? [];
  const { body } = await askOnce(address, {
    path: '/api/calendar-feed/',
    method: 'POST',
    headers: { cookie, origin: 'https://lectern.test', 'x-csrftoken': token },
  });
  return new URL((JSON.parse(body) as { url: string }).url).pathname;
}
