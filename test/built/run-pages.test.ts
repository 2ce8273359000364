import { expect, test } from 'vitest';
import { serveSite } from './pages.ts';
import { type BuiltWorker, createVisitor, type Visitor } from './worker.ts';

let built: BuiltWorker;
let ada: Visitor;
let slug: string;

serveSite(async (site) => {
  ({ built, ada } = site);
  const made = await ada.post('/api/courses/', { name: 'Grammar', course_type: 'evergreen' });
  const { id } = (await made.json()) as { id: string };
  const opened = await ada.post(`/api/courses/${id}/enrollment/`, {});
  const run = (await opened.json()) as { public_url: string };
  slug = run.public_url.split('/').at(-1) ?? '';
});

/** The last day of every open run, which is in the database alone. */
const farDate = /\b210[01]\b/;

test.each([
  ['en', 'Start today, at your own pace', /cohort/i],
  ['fr', 'Commencez aujourd’hui, à votre rythme', /cohorte/i],
])(
  'the page of an evergreen course in %s has neither a date nor a cohort',
  async (language, text, word) => {
    const visitor = createVisitor(built.server);
    const response = await visitor.request(`/c/${slug}?lang=${language}`);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('Cache-Control')).toContain('s-maxage=10');
    expect(html).toContain(text);
    expect(html).not.toMatch(farDate);
    const seen = html.replace(/<(script|style)\b.*?<\/\1>/gs, '').replace(/<[^>]*>/g, ' ');
    expect(seen).not.toMatch(word);

    const query = new URLSearchParams({ query: `lang=${language}` });
    const payload = await (await visitor.request(`/RSC/R/c/${slug}.txt?${query}`)).text();
    expect(payload).toContain(text);
    expect(payload).not.toMatch(farDate);
  },
);

test('a chat that shows a link to it reads the name of the course, once', async () => {
  const html = await (await createVisitor(built.server).request(`/c/${slug}?lang=en`)).text();

  expect(html).toMatch(/property="og:title" content="Grammar · with [^"]+"/);
});
