import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { askOnce } from '../../bench/client.ts';
import { benchedWorker, visitHome } from '../../bench/lectern.ts';
import { ada, addPerson, createTables } from '../../bench/people.ts';
import { startWorkerd } from '../../bench/workerd.ts';
import { hasEveryCase } from '../every-case.ts';

const settings = {
  appPort: 0,
  googlePort: 0,
  resendPort: 0,
  stateFolder: mkdtempSync(path.join(os.tmpdir(), 'lectern-lists-')),
  limits: { invitations_per_user: [] },
  sentryDsn: null,
};

/** At night as many as an instructor imports within an hour; see every-case.ts. */
const imports = hasEveryCase ? 10 : 4;

afterAll(() => rmSync(settings.stateFolder, { recursive: true }));

test(`${imports} lists of 5,000 lines leave nothing in memory`, { timeout: 300_000 }, async () => {
  const workerd = await startWorkerd(settings, [benchedWorker(settings)], { isInspected: true });
  try {
    const database = await workerd.miniflare.getD1Database('DB', 'lectern');
    await createTables(database);
    const { cookie, courseIds } = await visitHome(workerd, await addPerson(database, ada));
    const inspector = await workerd.inspect('lectern');
    const address = await workerd.addressOf('lectern');
    const [, csrfToken = ''] = /csrftoken=([^;]+)/.exec(cookie) ?? [];
    const headers = {
      cookie,
      origin: 'https://lectern.test',
      'content-type': 'application/json',
      'x-csrftoken': csrfToken,
    };
    const post = async (to: string, input: object) => {
      const body = JSON.stringify(input);
      // Each by its own connection: workerd closes one that waits for a collection.
      const answer = await askOnce(address, { path: to, method: 'POST', headers, body });
      return { status: answer.status, body: JSON.parse(answer.body) };
    };

    async function importOne(serial: number): Promise<void> {
      const days = { starts_on: '2028-01-03', ends_on: '2028-02-11', time_zone: 'Europe/Paris' };
      const made = await post(`/api/courses/${courseIds[0]}/cohorts/`, { name: 'List', ...days });
      const rows = Array.from({ length: 5_000 }, (_, row) => `Élodie,${serial}.${row}@example.com`);
      const list = { as: 'enrolled', informed: true, text: ['name,email', ...rows].join('\n') };
      const done = await post(`/api/cohorts/${made.body.id}/imports/`, list);
      expect(done).toMatchObject({ status: 200, body: { counts: { people: 5_000 } } });
    }

    await importOne(0);
    const before = await inspector.collect();
    for (let serial = 1; serial < imports; serial += 1) {
      await importOne(serial);
    }
    const after = await inspector.collect();
    inspector.close();

    expect(after.bytes / before.bytes).toBeLessThanOrEqual(1.1);
  } finally {
    await workerd.close();
  }
});
