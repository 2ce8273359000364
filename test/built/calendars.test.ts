import { expect, test } from 'vitest';
import { serveSite } from './pages.ts';
import { createCohort, createVisitor, type Visitor } from './worker.ts';

let ada: Visitor;
let nobody: Visitor;
let file: string;
let feed: string;

serveSite(async (site) => {
  ({ ada } = site);
  nobody = createVisitor(site.built.server);
  file = `/c/${(await createCohort(ada)).slug}/calendar.ics`;
  const made = await ada.post('/api/calendar-feed/', undefined);
  feed = new URL(((await made.json()) as { url: string }).url).pathname;
});

test('calendars are files of their own, which programs read again only when they change', async () => {
  for (const address of [file, feed]) {
    const got = await nobody.request(address);
    const text = await got.text();
    expect(got.status).toBe(200);
    expect(got.headers.get('Content-Type')).toBe('text/calendar; charset=utf-8');
    expect(text).toMatch(/^BEGIN:VCALENDAR\r\n.*\r\nEND:VCALENDAR\r\n$/s);

    const asked = await nobody.request(address, { method: 'HEAD' });
    expect(asked.status).toBe(200);
    expect(await asked.text()).toBe('');
    for (const name of ['Content-Type', 'ETag', 'Cache-Control', 'Last-Modified']) {
      expect(asked.headers.get(name), name).toBe(got.headers.get(name));
    }
    const tag = got.headers.get('ETag') ?? '';
    const again = await nobody.request(address, { headers: { 'If-None-Match': tag } });
    expect(again.status).toBe(304);
    expect(again.headers.get('Cache-Control')).toBe(got.headers.get('Cache-Control'));
  }
});

test.each(['GET', 'HEAD'])(
  'a %s of what is no calendar gets a 404 with nothing',
  async (method) => {
    for (const address of ['/calendar/x', feed.replace(/.\.ics/, '~.ics'), '/c/x/calendar.ics']) {
      const response = await nobody.request(address, { method });
      expect(response.status).toBe(404);
      expect(await response.text()).toBe('');
      expect(response.headers.get('Cache-Control')).toBe('no-store');
    }
  },
);

test('calendars are read only', async () => {
  const response = await nobody.request(feed, { method: 'POST', headers: { Origin: 'x' } });

  expect(response.status).toBe(405);
});
