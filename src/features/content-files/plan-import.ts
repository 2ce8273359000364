import type { DocumentNode, LessonDocument } from '#features/documents/document.ts';
import { groupOf, typeOfName } from '#features/files/file-types.ts';
import { stemOf as stemOfFile } from '#features/files/shown-file.ts';
import { decodeText, isGuess } from '#lib/decode-text.ts';
import { readmeName } from './file-names.ts';
import { documentOf, type NamedFile, readMarkdown, takeTitle } from './from-markdown.ts';
import { ImportRefusal, importLimits } from './import-limits.ts';
import { type MarkdownLesson, readMarkdownLesson } from './markdown-lesson.ts';
import { type ImportEntry, readZip } from './read-zip.ts';

/** What would come in, and what would not. */
export type ImportPlan = {
  sections: { title: string | null; releaseDays: number | null; lessons: PlannedLesson[] }[];
  /** Those that lessons have, by the keys that stand for them in the documents. */
  files: PlannedFile[];
  /** The paths of texts whose encoding is a guess. */
  guessed: string[];
  leftOut: { path: string; reason: LeftOut }[];
};
type LeftOut =
  | 'unused'
  | 'type'
  | 'svg'
  | 'not_text'
  | 'list'
  | 'missing'
  | 'missing_link'
  | 'player';
export type PlannedLesson = {
  path: string;
  title: string;
  minutes: number | null;
  document: LessonDocument;
  /** What links of the others call it. */
  key: string;
};
export type PlannedFile = {
  key: string;
  path: string;
  name: string;
  size: number;
  entry: ImportEntry;
};

type Page = Pick<MarkdownLesson, 'section' | 'minutes' | 'releaseDays' | 'order'> & {
  path: string;
  folders: string[];
  title: string;
  body: HTMLElement;
  /** Whether it only says what its section is called. */
  isSection: boolean;
  key: string;
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
  const others = entries.filter((entry) => !isLesson(entry));
  const leftOut = new Map<string, LeftOut>();
  const guessed: string[] = [];
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
    const decoded = decodeText(new Uint8Array(await bytes.arrayBuffer()));
    if (decoded === null) {
      leftOut.set(entry.path, 'not_text');
      continue;
    }
    if (isGuess(decoded.encoding)) {
      guessed.push(entry.path);
    }
    pages.push(pageOf(entry.path, decoded.text, isOurs));
  }
  const folderOf = folderFinder(pages);
  const isIndex = (page: Page) => folderOf(page) !== null || indexName.test(page.path);
  const ordered = orderOf(pages, folderOf, isIndex);
  const isList = (page: Page) => isIndex(page) && isOnlyLinks(page.body);
  for (const { path } of ordered.filter(isList)) {
    leftOut.set(path, 'list');
  }
  const lessons = ordered.filter((page) => !isList(page));
  if (lessons.every(({ isSection }) => isSection)) {
    throw new ImportRefusal('no_lessons', [...leftOut.keys()][0] ?? '');
  }
  const find = finder(
    others.filter(({ path }) => typeOfName(path) !== null),
    isOurs,
  );
  const findText = finder(
    lessons.filter(({ isSection }) => !isSection),
    isOurs,
  );
  // Sites call a page by its address without an ending, or with theirs.
  const findPage = (from: string, target: string) => {
    const path = target.replace(/[?#].*$/, '').replace(/\.html?$/i, '');
    return findText(from, target) ?? findText(from, `${path}.md`);
  };
  const files = new Map<string, PlannedFile>();
  const plan = (entry: ImportEntry) => {
    const planned = files.get(entry.path) ?? plannedFile(entry, files.size + 1);
    files.set(entry.path, planned);
    return planned;
  };
  const isThere = finder(entries, isOurs);
  const sections: ImportPlan['sections'] = [];
  let current: string | undefined;
  for (const page of lessons) {
    signal.throwIfAborted();
    const { path, title, minutes, key } = page;
    const folder = page.folders[0] ?? '';
    if (folder !== current) {
      current = folder;
      const named = folder === '' ? null : folderTitle(folder);
      sections.push({
        title: page.section === undefined ? named : page.section,
        releaseDays: page.releaseDays,
        lessons: [],
      });
    }
    if (page.isSection) {
      continue;
    }
    const document = documentOf(page.body, {
      file(target, as) {
        const entry = target.startsWith('data:')
          ? embedded(target, files.size + 1)
          : find(path, target);
        if (entry !== null) {
          return { key: plan(entry).key, kind: kindOf(entry) };
        }
        // What is there, but no file of a lesson, is said once.
        if (isThere(path, target) === null && target !== '') {
          leftOut.set(target.slice(0, 200), as === 'image' ? 'missing' : 'missing_link');
        }
        return null;
      },
      lesson(target) {
        const other = findPage(path, target);
        return other && `lesson:${other.key}`;
      },
      onUnsupportedPlayer: (address) => leftOut.set(address, 'player'),
    });
    sections.at(-1)?.lessons.push({ path, title, minutes, document, key });
  }
  for (const entry of others) {
    if (isCaptionsOf(entry, files)) {
      plan(entry);
    }
  }
  for (const { path } of others) {
    if (!files.has(path) && path !== readmeName) {
      const isSvg = /\.svg$/i.test(path);
      leftOut.set(path, isSvg ? 'svg' : typeOfName(path) === null ? 'type' : 'unused');
    }
  }
  return {
    sections,
    files: [...files.values()],
    guessed,
    leftOut: [...leftOut].map(([path, reason]) => ({ path, reason })),
  };
}

/** An image that stands in a text itself, as Google Docs writes it; null for anything else. */
function embedded(address: string, no: number): ImportEntry | null {
  const [, type, base64 = ''] =
    /^data:image\/(png|jpeg|gif|webp);base64,(.+)$/s.exec(address) ?? [];
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const file = new File([bytes], `image-${no}.${type === 'jpeg' ? 'jpg' : type}`);
    return bytes.length === 0 ? null : { ...entryOf(file), path: `data:/${file.name}` };
  } catch {
    return null;
  }
}

/** Whether a file has the captions of a video among others: the same name beside it. */
function isCaptionsOf({ path }: ImportEntry, files: ReadonlyMap<string, PlannedFile>): boolean {
  const stem = (name: string) => stemOfFile({ name });
  return (
    /\.vtt$/i.test(path) &&
    [...files.values()].some(
      (file) => groupOf(typeOfName(file.path) ?? '') === 'video' && stem(file.path) === stem(path),
    )
  );
}

function kindOf({ path }: ImportEntry): NamedFile['kind'] {
  return groupOf(typeOfName(path) ?? '') === 'image' ? 'image' : 'file';
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

/** What Notion adds to each name, so that it is the only one. */
const notionId = /\s[0-9a-f]{32}(?=$|\.)/;

function stemOf(name: string): string {
  return name.replace(/\.(md|markdown)$/i, '').replace(notionId, '');
}

function pageOf(path: string, text: string, isOurs: boolean): Page {
  const { title, markdown, ...page } = readMarkdownLesson(text);
  const parts = path.split('/');
  const body = readMarkdown(markdown, isOurs);
  const isText = title === null || body.querySelector('h1')?.textContent.trim() === title;
  const heading = isText ? takeTitle(body) : null;
  return {
    ...page,
    path,
    folders: parts.slice(0, -1),
    title: asTitle(title ?? (heading || stemOf(parts.at(-1) ?? ''))),
    body,
    isSection: isOurs && title === null && page.section !== undefined && isEmpty(body),
    key: crypto.randomUUID(),
  };
}

function isEmpty(body: HTMLElement): boolean {
  return body.childNodes.length === 0;
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

/** “2” comes before “10”. */
const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** A page that says what is in its folder. */
const indexName = /(^|\/)(readme|index|_index|summary|toc)\.(md|markdown)$/i;

/**
 * The pages in the order of a course, with the folders in which all of them are taken off. The
 * order within a folder is that of the numbers that the pages give themselves or have in their
 * names; without any, that of the links of the folder's own page, which comes first in it.
 */
function orderOf(pages: Page[], folderOf: FindFolder, isIndex: (page: Page) => boolean): Page[] {
  const cut = commonFolders(pages, folderOf);
  const pathOf = (page: Page) => folderOf(page)?.slice(0, -1) ?? stemPath(page.path);
  const ranks = new Map<string, number>();
  for (const page of pages.filter(isIndex)) {
    for (const [no, link] of [...page.body.querySelectorAll('a[href]')].entries()) {
      const target = (link.getAttribute('href') ?? '').replace(/[?#].*$/, '').replaceAll('\\', '/');
      const linked = resolvePath(folderOfPath(page.path), decoded(target).normalize('NFC'));
      // A folder has the rank of the first of its pages.
      for (const path of linked === null ? [] : pathsTo(stemPath(linked))) {
        ranks.set(path, ranks.get(path) ?? no);
      }
    }
  }
  for (const siblings of siblingsOf(pages.map(pathOf))) {
    const numbers = siblings.filter((path) => /^\d/.test(nameOf(path)));
    if (numbers.length * 2 >= siblings.length) {
      for (const path of siblings) {
        ranks.set(path, 0);
      }
    }
  }
  for (const page of pages) {
    const isOfFolder = indexName.test(page.path);
    if (page.order !== null) {
      ranks.set(isOfFolder ? folderOfPath(page.path) : pathOf(page), page.order);
    }
    if (isOfFolder) {
      ranks.set(pathOf(page), -1);
    }
  }
  const keyOf = (page: Page) => {
    // The page of a folder is in it.
    const parts = (folderOf(page) ?? stemPath(page.path)).split('/');
    return parts.map((part, at) => ({
      part,
      rank: part === '' ? -1 : (ranks.get(parts.slice(0, at + 1).join('/')) ?? unranked),
    }));
  };
  const keyed = pages.map((page) => ({ page, key: keyOf(page) }));
  keyed.sort((one, other) => compareKeys(one.key, other.key));
  const placed = keyed.map(({ page, key }) => ({
    page: { ...page, folders: key.slice(cut, -1).map(({ part }) => part) },
    isFirst: key.length === cut + 1 && !isLinked(key.at(-1)?.rank),
  }));
  // Those outside of sections, unless a page says where they are.
  return [
    ...placed.filter(({ isFirst }) => isFirst),
    ...placed.filter(({ isFirst }) => !isFirst),
  ].map(({ page }) => page);
}

const unranked = Number.MAX_SAFE_INTEGER;

function isLinked(rank = unranked): boolean {
  return rank > 0 && rank !== unranked;
}

/** The paths of files and folders that are in one folder each, by folder. */
function siblingsOf(paths: string[]): string[][] {
  const all = new Set(paths.flatMap(pathsTo));
  return [...Map.groupBy(all, folderOfPath).values()];
}

/** Deeper folders have no order of their own. */
const deepestFolder = 40;

/** A path, and those of the folders that it is in. */
function pathsTo(path: string): string[] {
  const parts = path.split('/', deepestFolder);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

function folderOfPath(path: string): string {
  return path.split('/').slice(0, -1).join('/');
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

/** Whether a text only links to the pages below it. */
function isOnlyLinks(body: HTMLElement): boolean {
  const rest = body.cloneNode(true) as HTMLElement;
  for (const element of rest.querySelectorAll('h1, h2, h3, h4, h5, h6, a')) {
    const target = element.getAttribute('href') ?? '';
    if (element.localName !== 'a' || /\.(md|markdown|csv)([?#].*)?$/i.test(target)) {
      element.remove();
    }
  }
  return rest.textContent.trim() === '' && rest.querySelector('img, iframe, hr') === null;
}

/**
 * Finds what a lesson names by its path: beside it, from the root, elsewhere in the zip by the end
 * of its path, or, as notes name files and files that are chosen without their folders need it, the
 * only one of its name. What is elsewhere on the web may be in the zip, too.
 */
function finder<Entry extends { path: string }>(
  entries: Entry[],
  isExact: boolean,
): (from: string, target: string) => Entry | null {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const byName = Map.groupBy(entries, ({ path }) => nameOf(path).toLowerCase());
  const onlyOne = (found: Entry[] = []) => (found.length === 1 ? (found[0] ?? null) : null);
  return (from, given) => {
    const target = given.replaceAll('\\', '/');
    const isElsewhere = /^(https?:)?\/\//i.test(target);
    if (!isElsewhere && /^([a-z][a-z0-9+.-]*:|#)/i.test(target)) {
      return null;
    }
    for (const path of isElsewhere ? [] : readingsOf(target)) {
      const found =
        byPath.get(resolvePath(folderOfPath(from), path) ?? '') ??
        byPath.get(path.replace(/^\/+/, ''));
      if (found !== undefined) {
        return found;
      }
    }
    for (const path of isExact ? [] : readingsOf(target)) {
      const named = byName.get(nameOf(path).toLowerCase());
      const end = path.split('/').slice(-2).join('/').replace(/^\/?/, '/');
      const found =
        onlyOne(named?.filter((entry) => `/${entry.path}`.endsWith(end))) ??
        (isElsewhere ? null : onlyOne(named));
      if (found !== null) {
        return found;
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
