import type { DocumentNode, LessonDocument } from '#features/documents/document.ts';
import { groupOf, typeOfName } from '#features/files/file-types.ts';
import { readmeName } from './file-names.ts';
import { markdownToDocument, type NamedFile, titleIn } from './from-markdown.ts';
import { ImportRefusal, importLimits } from './import-limits.ts';
import { readMarkdownLesson } from './markdown-lesson.ts';
import { type ImportEntry, readZip } from './read-zip.ts';

/** What would come in, and what would not. */
export type ImportPlan = {
  sections: { title: string | null; lessons: PlannedLesson[] }[];
  /** Those that lessons have, by the keys that stand for them in the documents. */
  files: PlannedFile[];
  leftOut: { path: string; reason: 'unused' | 'type' | 'not_text' | 'list' | 'missing' }[];
};
export type PlannedLesson = {
  path: string;
  title: string;
  minutes: number | null;
  document: LessonDocument;
};
export type PlannedFile = {
  key: string;
  path: string;
  name: string;
  size: number;
  entry: ImportEntry;
};

type Page = {
  path: string;
  folders: string[];
  title: string;
  section: string | null | undefined;
  minutes: number | null;
  markdown: string;
};

/**
 * Says what becomes of files that were chosen: Markdown files, with their images beside, or a zip.
 * Nothing is written.
 *
 * @param onProgress called with how many lessons of how many were read
 * @throws ImportRefusal; what `signal` was aborted with
 */
export async function planImport(
  chosen: File[],
  onProgress: (done: number, of: number) => void,
  signal: AbortSignal,
): Promise<ImportPlan> {
  const entries = await entriesOf(chosen);
  const isOurs = entries.some(({ path }) => path === readmeName);
  // What is among the files of a download may be Markdown, too, but no lesson.
  const isLesson = ({ path }: ImportEntry) =>
    isMarkdown(path) && !(isOurs && path.startsWith('files/'));
  const texts = entries.filter(isLesson);
  const findFile = fileFinder(entries.filter((entry) => !isLesson(entry)));
  const leftOut: ImportPlan['leftOut'] = [];
  const pages: Page[] = [];
  let length = 0;
  for (const [at, entry] of texts.entries()) {
    signal.throwIfAborted();
    onProgress(at, texts.length);
    const bytes = await entry.read(importLimits.text);
    length += bytes.size;
    if (length > importLimits.texts) {
      throw new ImportRefusal('too_much_text', entry.path);
    }
    const text = decodeText(new Uint8Array(await bytes.arrayBuffer()));
    if (text === null) {
      leftOut.push({ path: entry.path, reason: 'not_text' });
    } else {
      pages.push(pageOf(entry.path, text));
    }
  }
  const folderOf = folderFinder(pages);
  const ordered = orderOf(pages, folderOf);
  const isList = (page: Page) => folderOf(page) !== null && isOnlyLinks(page.markdown);
  leftOut.push(...ordered.filter(isList).map(({ path }) => ({ path, reason: 'list' as const })));
  const lessons = ordered.filter((page) => !isList(page));
  if (lessons.length === 0) {
    throw new ImportRefusal('no_lessons', leftOut[0]?.path ?? '');
  }
  const files = new Map<string, PlannedFile>();
  const missing = new Set<string>();
  const sections: ImportPlan['sections'] = [];
  let current: string | null | undefined;
  for (const page of lessons) {
    signal.throwIfAborted();
    const folder = page.folders[0] ?? '';
    if (sections.length === 0 || folder !== current) {
      current = folder;
      sections.push({
        title:
          page.section === undefined ? (folder === '' ? null : folderTitle(folder)) : page.section,
        lessons: [],
      });
    }
    const { path, title, minutes } = page;
    const document = markdownToDocument(page.markdown, (target, as) => {
      const entry = findFile(path, target);
      if (entry === null) {
        if (as === 'image') {
          missing.add(target);
        }
        return null;
      }
      const planned = files.get(entry.path) ?? plannedFile(entry, files.size + 1);
      files.set(entry.path, planned);
      return { key: planned.key, kind: entry.kind };
    });
    sections.at(-1)?.lessons.push({ path, title, minutes, document });
  }
  leftOut.push(
    ...[...missing].map((path) => ({ path, reason: 'missing' as const })),
    ...entries
      .filter((entry) => !isLesson(entry) && !files.has(entry.path) && entry.path !== readmeName)
      .map(({ path }) => ({
        path,
        reason: typeOfName(path) === null ? ('type' as const) : ('unused' as const),
      })),
  );
  return { sections, files: [...files.values()], leftOut };
}

/** A document with the keys its files got when they were uploaded; those without a key become text. */
export function withKeys(
  document: LessonDocument,
  keys: ReadonlyMap<string, string>,
): LessonDocument {
  const content = (document.content ?? []).map((node): DocumentNode => {
    const key = keys.get(String(node.attrs?.['file']));
    return node.attrs?.['file'] === undefined
      ? node
      : key === undefined
        ? paragraphOf(String(node.attrs['alt'] || node.attrs['name'] || ''))
        : { ...node, attrs: { ...node.attrs, file: key } };
  });
  return { ...document, content };
}

function paragraphOf(text: string): DocumentNode {
  return { type: 'paragraph', ...(text !== '' && { content: [{ type: 'text', text }] }) };
}

function isMarkdown(path: string): boolean {
  return /\.(md|markdown)$/i.test(path);
}

/** The files that were chosen, with those of zips in their place. */
async function entriesOf(chosen: File[]): Promise<ImportEntry[]> {
  const size = chosen.reduce((sum, file) => sum + file.size, 0);
  if (size > importLimits.chosen) {
    throw new ImportRefusal('too_large_together', '');
  }
  const all = new Map<string, ImportEntry>();
  for (const file of chosen) {
    for (const entry of /\.zip$/i.test(file.name) ? await entriesOfZip(file) : [entryOf(file)]) {
      if (all.has(entry.path)) {
        throw new ImportRefusal('same_names', file.name);
      }
      all.set(entry.path, entry);
    }
  }
  if (all.size > importLimits.entries) {
    throw new ImportRefusal('too_many_files', '');
  }
  return withoutFolder([...all.values()]);
}

/** Without the folder that macOS puts all of a download into when it is zipped again. */
function withoutFolder(entries: ImportEntry[]): ImportEntry[] {
  const folder = entries.find(({ path }) => /^[^/]+\/README\.txt$/.test(path))?.path.split('/')[0];
  const start = `${folder}/`;
  return folder !== undefined && entries.every(({ path }) => path.startsWith(start))
    ? entries.map((entry) => ({ ...entry, path: entry.path.slice(start.length) }))
    : entries;
}

function entryOf(file: File): ImportEntry {
  const read = async (limit: number) => {
    if (file.size > limit) {
      throw new ImportRefusal('too_large', file.name);
    }
    return file;
  };
  return { path: file.name.normalize('NFC'), size: file.size, read };
}

/** A zip, and those that it consists of: Notion puts what it exports into `…-Part-1.zip`. */
async function entriesOfZip(file: File): Promise<ImportEntry[]> {
  const outer = await readZip(file, file.name);
  const isZip = ({ path }: ImportEntry) => /\.zip$/i.test(path);
  if (outer.some(({ path }) => isMarkdown(path)) || !outer.some(isZip)) {
    return outer;
  }
  const parts: ImportEntry[] = [];
  let left: number = importLimits.innerZip;
  for (const part of outer.filter(isZip)) {
    const bytes = await part.read(left);
    left -= bytes.size;
    const inner = await readZip(bytes, part.path);
    if (inner.some(isZip) && !inner.some(({ path }) => isMarkdown(path))) {
      throw new ImportRefusal('nested', part.path);
    }
    parts.push(...inner);
    if (parts.length > importLimits.entries) {
      throw new ImportRefusal('too_many_files', file.name);
    }
  }
  return parts;
}

/** A text in UTF-8, or in UTF-16 if it begins as that does; null for others. */
export function decodeText(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** What Notion adds to each name, so that it is the only one. */
const notionId = /\s[0-9a-f]{32}(?=$|\.)/;

function stemOf(name: string): string {
  return name.replace(/\.(md|markdown)$/i, '').replace(notionId, '');
}

function pageOf(path: string, text: string): Page {
  const file = readMarkdownLesson(text);
  const parts = path.split('/');
  const heading = file.title === null ? titleIn(file.markdown) : null;
  const markdown = heading?.rest ?? file.markdown;
  const title = asTitle(file.title ?? (heading?.title || stemOf(parts.at(-1) ?? '')));
  const { section, minutes } = file;
  return { path, folders: parts.slice(0, -1), title, section, minutes, markdown };
}

/** One line, as short as titles are. */
function asTitle(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, ' ').trim();
  const short = [...line].slice(0, 120).join('').trim();
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(short) ? short : '—';
}

/** `Week one` for `week-one`, and what Notion calls `Week one 3f…`. */
function folderTitle(folder: string): string {
  const name = stemOf(folder);
  const words = /\s/.test(name) ? name : name.replace(/[-_]+/g, ' ');
  return asTitle(words.charAt(0).toUpperCase() + words.slice(1));
}

const linkToPage = /\]\(<?((?:[^()<>\n]|\([^()\n]*\))+\.md)>?\)/g;

/** “2” comes before “10”. */
const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/**
 * The pages in the order of a course, with the folders in which all of them are taken off. The page
 * of a folder, which Notion puts beside it, comes first in it, and says the order of the others by
 * its links.
 */
function orderOf(pages: Page[], folderOf: FindFolder): Page[] {
  const cut = commonFolders(pages, folderOf);
  const shared = new Map<string, number>();
  for (const { path, markdown } of pages) {
    const folder = path.split('/').slice(0, -1).join('/');
    for (const [no, [, target = '']] of [...markdown.matchAll(linkToPage)].entries()) {
      const linked = resolvePath(folder, decoded(target).normalize('NFC'));
      if (linked !== null && !shared.has(linked)) {
        shared.set(linked, no);
      }
    }
  }
  const rankOf = (path: string) =>
    path.endsWith('/') ? -1 : (shared.get(`${path}.md`) ?? Number.MAX_SAFE_INTEGER);
  const keyOf = (page: Page) => {
    const parts = (folderOf(page) ?? stemPath(page.path)).split('/');
    return parts.map((part, at) => ({ part, rank: rankOf(parts.slice(0, at + 1).join('/')) }));
  };
  const keyed = pages.map((page) => ({ page, key: keyOf(page) }));
  keyed.sort((one, other) => compareKeys(one.key, other.key));
  const placed = keyed.map(({ page, key }) => ({
    page: { ...page, folders: key.slice(cut, -1).map(({ part }) => part) },
    isFirst: key.length === cut + 1 && key.at(-1)?.rank === Number.MAX_SAFE_INTEGER,
  }));
  // Those outside of sections, unless a page says where they are.
  return [
    ...placed.filter(({ isFirst }) => isFirst),
    ...placed.filter(({ isFirst }) => !isFirst),
  ].map(({ page }) => page);
}

type Key = { part: string; rank: number }[];

function compareKeys(one: Key, other: Key): number {
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const [mine, theirs] = [one[at], other[at]];
    if (mine === undefined || theirs === undefined) {
      return one.length - other.length;
    }
    const order = mine.rank - theirs.rank || byName.compare(mine.part, theirs.part);
    if (order !== 0) {
      return order;
    }
  }
  return 0;
}

function stemPath(path: string): string {
  return path.replace(/\.(md|markdown)$/i, '');
}

type FindFolder = (page: Page) => string | null;

/** Finds the folder of the pages below one, to which Notion gives its name, with or without the id. */
function folderFinder(pages: Page[]): FindFolder {
  const folders = new Set<string>();
  for (const { path } of pages) {
    const parts = path.split('/');
    for (let count = 1; count < parts.length; count += 1) {
      folders.add(`${parts.slice(0, count).join('/')}/`);
    }
  }
  return ({ path }) => {
    const stem = stemPath(path);
    const names = [`${stem}/`, `${stem.replace(notionId, '')}/`];
    return names.find((name) => folders.has(name)) ?? null;
  };
}

/** How many folders all pages are in, counting that of a single page at the top. */
function commonFolders(pages: Page[], folderOf: FindFolder): number {
  const all = pages.map((page) => (folderOf(page) ?? page.path).split('/').slice(0, -1));
  const [first = []] = all;
  let count = 0;
  while (count < first.length && all.every((folders) => folders[count] === first[count])) {
    count += 1;
  }
  // A folder of lessons alone is a section.
  return all.every((folders) => folders.length === count) ? Math.max(0, count - 1) : count;
}

const linkAlone = /^(?:[-*+]|\d+\.)?\s*\[[^\]]*\]\(<?.*\.(?:md|csv)>?\)$/;

/** Whether a text only links to the pages below it. */
function isOnlyLinks(markdown: string): boolean {
  return markdown
    .split('\n')
    .map((line) => line.trim())
    .every((line) => line === '' || linkAlone.test(line));
}

type FoundFile = ImportEntry & Pick<NamedFile, 'kind'>;

/**
 * Finds the files that a lesson names: beside it, elsewhere in the zip, or, as notes name them and
 * files that are chosen without their folders need it, the only one of its name.
 */
function fileFinder(entries: ImportEntry[]): (from: string, target: string) => FoundFile | null {
  const files = entries.flatMap((entry) => {
    const type = typeOfName(entry.path);
    const kind = type !== null && groupOf(type) === 'image' ? 'image' : 'file';
    return type === null ? [] : [{ ...entry, kind } as const];
  });
  const byPath = new Map(files.map((file) => [file.path, file]));
  const byName = Map.groupBy(files, ({ path }) => nameOf(path));
  return (from, target) => {
    if (/^[a-z][a-z0-9+.-]*:|^\/|^#/i.test(target)) {
      return null;
    }
    const folder = from.split('/').slice(0, -1).join('/');
    for (const path of readingsOf(target)) {
      const found = byPath.get(resolvePath(folder, path) ?? '');
      if (found !== undefined) {
        return found;
      }
    }
    for (const path of readingsOf(target)) {
      const [only, ...others] = byName.get(nameOf(path)) ?? [];
      if (only !== undefined && others.length === 0) {
        return only;
      }
    }
    return null;
  };
}

/** What a path can mean: itself, or, as in addresses, with its characters encoded. */
function readingsOf(target: string): string[] {
  const plain = target.replace(/[?#].*$/, '');
  return [target, decoded(target), decoded(plain)].map((path) => path.normalize('NFC'));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function nameOf(path: string): string {
  return path.split('/').at(-1) ?? '';
}

function plannedFile(entry: ImportEntry, number: number): PlannedFile {
  const { path, size } = entry;
  return { key: String(number).padStart(10, '0'), path, name: nameOf(path), size, entry };
}

/** Where a relative path leads; null for out of the zip. */
function resolvePath(folder: string, path: string): string | null {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) {
        return null;
      }
    } else if (part !== '.' && part !== '') {
      parts.push(part);
    }
  }
  return parts.join('/');
}
