import { writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { pageList } from '../page-list.ts';
import { startBuiltWorker } from '../built/worker.ts';
import { contentOf, weigh, assetsNamed } from './built-files.ts';

function scriptsOf(html: string): string[] {
  const found = new Set([...html.matchAll(/\/assets\/([\w.~-]+\.js)\b/g)].map(([, name = '']) => name));
  for (const script of found) {
    for (const [, name = ''] of contentOf(script).matchAll(/\b(?:from|import)\s*["'`]\.\/([\w.~-]+\.js)["'`]/g)) {
      found.add(name);
    }
  }
  return [...found];
}
import { createReaders } from './pages.ts';

test('weigh', async () => {
  const built = await startBuiltWorker();
  const readers = await createReaders(built);
  const out: Record<string, unknown> = {};
  for (const { path: page, reader } of pageList) {
    const address = readers.addressOf(page);
    const choice = `${address.includes('?') ? '&' : '?'}lang=en`;
    const path = page.startsWith('/p/') ? `${address}${choice}` : address;
    const response = await readers[reader].request(path, { headers: { 'Accept-Language': 'en' } });
    const html = await response.text();
    const scripts = scriptsOf(html);
    const all = scripts.map((s) => [s, weigh(contentOf(s))] as const);
    out[page] = { bytes: all.reduce((a, [, b]) => a + b, 0), files: scripts.length, doc: weigh(html), parts: Object.fromEntries(all) };
    if (page === '/settings' || page === '/c/[slug]' || page === '/') writeFileSync(`/tmp/b30/later-${page.replaceAll('/', '_')}.html`, html);
  }
  out['all scripts'] = assetsNamed('js').reduce((a, n) => a + contentOf(n).length, 0);
  out['all files'] = assetsNamed('js').length;
  writeFileSync(process.env['WEIGH_OUT'] ?? '/tmp/b30/later-weigh.json', JSON.stringify(out, null, 1));
  await built.close();
}, 200_000);
