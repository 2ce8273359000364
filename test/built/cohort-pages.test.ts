import { expect, test } from 'vitest';
import { serveSite } from './pages.ts';
import { type BuiltWorker, createCohort, createVisitor, type Visitor } from './worker.ts';

let built: BuiltWorker;
let ada: Visitor;
let cohort: { id: string; slug: string };

serveSite(async (site) => {
  ({ built, ada } = site);
  cohort = await createCohort(ada);
});

/** The same but for what belongs to one response. */
function withoutNonce(html: string): string {
  return html.replaceAll(/nonce[="\\:]+[\w+/=-]+/g, 'nonce');
}

test.each([
  ['en', 'Enrollment is open'],
  ['fr', 'Les inscriptions sont ouvertes'],
])(
  'a cohort’s page in %s is the same for everyone, and may be kept for a moment',
  async (language, text) => {
    const path = `/c/${cohort.slug}?lang=${language}`;
    ada.cookies.set('theme', 'dark');
    const bodies: string[] = [];
    for (const visitor of [ada, createVisitor(built.server)]) {
      const other = { 'Accept-Language': language === 'en' ? 'fr' : 'en' };
      const response = await visitor.request(path, { headers: other });
      const html = await response.text();
      expect(response.status).toBe(200);
      expect(response.headers.get('Cache-Control')).toBe(
        'public, s-maxage=10, stale-while-revalidate=50',
      );
      expect(response.headers.get('Vary') ?? '').not.toMatch(/cookie|language/i);
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).toContain('<meta name="robots" content="noindex"/>');
      expect(html).toContain(text);
      bodies.push(withoutNonce(html));
    }

    expect(bodies[0]).toBe(bodies[1]);
  },
);

test('its payload may be kept by its language too', async () => {
  const query = new URLSearchParams({ query: 'lang=fr' });
  const response = await ada.request(`/RSC/R/c/${cohort.slug}.txt?${query}`);

  expect(response.status).toBe(200);
  expect(response.headers.get('Cache-Control')).toContain('s-maxage=10');
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(await response.text()).toContain('Les inscriptions sont ouvertes');
});

test('without a language in its address it is in the reader’s, and is not kept', async () => {
  for (const language of ['en', 'fr']) {
    const headers = { 'Accept-Language': language };
    const response = await createVisitor(built.server).request(`/c/${cohort.slug}`, { headers });

    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('Vary')).toContain('Accept-Language');
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await response.text()).toContain(`<html lang="${language}">`);
  }
});

test('one that is not there is not kept, whether it never was or is a draft again', async () => {
  await ada.post(`/api/cohorts/${cohort.id}/unpublish/`, {});
  const paths = [`/c/${cohort.slug}?lang=en`, '/c/never-was?lang=en'];
  const bodies = await Promise.all(
    paths.map(async (path) => {
      const response = await createVisitor(built.server).request(path);
      expect(response.status).toBe(404);
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      return withoutNonce(await response.text()).replaceAll(/never-was|winter-\w+/g, '');
    }),
  );

  expect(bodies[0]).toBe(bodies[1]);
});

test('nor is the payload of one that is not there, which is a success', async () => {
  for (const slug of [cohort.slug, 'never-was']) {
    const query = new URLSearchParams({ query: 'lang=fr' });
    const path = `/RSC/R/c/${slug}.txt?${query}`;
    const response = await createVisitor(built.server).request(path);

    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(await response.text()).not.toContain('Les inscriptions');
  }
});

test('the preview of a draft is its owner’s, and is not kept', async () => {
  const path = `/cohorts/${cohort.id}/preview`;
  const own = await ada.request(path);
  expect(own.status).toBe(200);
  expect(own.headers.get('Cache-Control')).toBe('no-store');
  const french = await ada.request(`${path}?lang=fr`);
  expect(await french.text()).toContain('<html lang="fr"');
  expect(french.headers.get('Cache-Control')).toBe('no-store');
  expect(french.headers.get('Vary')).toContain('Cookie');
  const other = await createVisitor(built.server).request(path);

  expect(other.headers.get('Location')).toContain('/login');
});
