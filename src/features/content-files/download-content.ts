import { makeZip } from 'client-zip';
import { type ApiFailure, type ApiResult, callApi } from '#client/call-api.ts';
import type { DocumentNode, LessonDocument } from '#features/documents/document.ts';
import { groupOf } from '#features/files/file-types.ts';
import type { CourseFile } from '#features/files/schema.ts';
import { stemOf } from '#features/files/shown-file.ts';
import { numberedName, readmeName, uniqueNames } from './file-names.ts';
import { writeMarkdownLesson } from './markdown-lesson.ts';
import { documentToMarkdown } from './to-markdown.ts';

/** How far a download is: in lessons, then in bytes of files. */
export type DownloadProgress =
  | { part: 'lessons'; done: number; of: number }
  | { part: 'files'; done: number; of: number; name: string };

/** Why a download stopped, and at which lesson or file. */
export class DownloadFailure extends Error {
  override readonly name = 'DownloadFailure';
  /** Null if it was the list of them. */
  readonly at: string | null;
  /** Of a file, so that it can be left out. */
  readonly key: string | null;
  readonly failure: ApiFailure | null;

  constructor(at: string | null, key: string | null, failure: ApiFailure | null) {
    super('A download failed');
    this.at = at;
    this.key = key;
    this.failure = failure;
  }
}

type Downloading = {
  courseId: string;
  /** The text of a file that says what the others are. */
  readme: string;
  /** The keys of files that could not be read. */
  without: ReadonlySet<string>;
  onProgress: (progress: DownloadProgress) => void;
  signal: AbortSignal;
};

type Entry = Parameters<typeof makeZip>[0] extends AsyncIterable<infer One> | Iterable<infer One>
  ? One
  : never;

/**
 * The lessons of a course as a zip of Markdown, with their files. It reads one lesson or a piece of
 * a file at a time, as fast as it is saved.
 */
export function downloadContent(downloading: Downloading): ReadableStream<Uint8Array> {
  return makeZip(entriesOf(downloading));
}

/** The same course is the same zip, whenever it is downloaded. */
const lastModified = new Date(2026, 0);

async function* entriesOf(downloading: Downloading): AsyncGenerator<Entry> {
  const { courseId, readme, without, onProgress, signal } = downloading;
  const course = `/api/courses/${courseId}/` as const;
  const { sections, link_keys: linkKeys } = await read(null, signal, () =>
    callApi(`${course}content/` as const, { method: 'GET' }),
  );
  const files = await read(null, signal, () =>
    callApi(`${course}files/` as const, { method: 'GET' }),
  );
  const unique = uniqueNames();
  const named = new Map(
    files
      .filter(({ key }) => !without.has(key))
      .map((file) => [file.key, { file, path: `files/${unique(file.name)}` }]),
  );
  const places = sections.map(({ title, lessons }, at) => {
    const folder = numberedName(at + 1, title ?? '', 'lessons');
    return lessons.map((lesson, no) => ({
      link: `lesson:${linkKeys[lesson.id] ?? lesson.id}`,
      path: `${folder}/${numberedName(no + 1, lesson.title, 'lesson')}.md`,
    }));
  });
  const linked = new Map(places.flat().map(({ link, path }) => [link, path]));
  const used = new Set<string>();
  const of = sections.reduce((sum, { lessons }) => sum + lessons.length, 0);
  let done = 0;
  yield { name: readmeName, input: readme, lastModified };
  for (const [at, { title: section, release_days: releaseDays, lessons }] of sections.entries()) {
    if (lessons.length === 0) {
      yield {
        name: `${numberedName(at + 1, section ?? '', 'lessons')}/section.md`,
        input: writeMarkdownLesson({ ...noLesson, section, releaseDays }),
        lastModified,
      };
    }
    for (const [no, { id, title, minutes }] of lessons.entries()) {
      onProgress({ part: 'lessons', done, of });
      const { document } = await read(title, signal, () =>
        callApi(`/api/lessons/${id}/` as const, { method: 'GET' }),
      );
      // As the worker has checked it when it was saved.
      const text = document as LessonDocument;
      keysIn(text, used);
      const markdown = documentToMarkdown(text, (what) => {
        const path = named.get(what)?.path ?? linked.get(what);
        return path === undefined ? null : `../${path}`;
      });
      yield {
        name: places[at]?.[no]?.path ?? '',
        input: writeMarkdownLesson({ title, section, releaseDays, minutes, markdown }),
        lastModified,
      };
      done += 1;
    }
  }
  const inTexts = [...used].flatMap((key) => named.get(key) ?? []);
  const videos = inTexts.filter(({ file }) => groupOf(file.content_type) === 'video');
  const stems = new Set(videos.map(({ file }) => stemOf(file)));
  // Captions belong to a video and needn’t be in any text.
  const captions = [...named.values()].filter(
    ({ file }) => isCaptions(file) && stems.has(stemOf(file)) && !used.has(file.key),
  );
  const wanted = [...inTexts, ...captions];
  const bytes = wanted.reduce((sum, { file }) => sum + file.size, 0);
  let sent = 0;
  for (const { file, path } of wanted) {
    const { name, size } = file;
    const onBytes = (count: number) => {
      sent += count;
      onProgress({ part: 'files', done: sent, of: bytes, name });
    };
    onBytes(0);
    const input = await openFile(file, signal);
    yield {
      name: path,
      size,
      input: counted(input, file, onBytes),
      lastModified,
    };
  }
}

/** Asks again as soon as the server lets it, where a course has many lessons. */
async function read<Data>(
  at: string | null,
  signal: AbortSignal,
  ask: () => Promise<ApiResult<Data>>,
): Promise<Data> {
  for (;;) {
    signal.throwIfAborted();
    const result = await ask();
    signal.throwIfAborted();
    if (result.ok) {
      return result.data;
    }
    if (result.status !== 429 || result.retryAt === undefined) {
      throw new DownloadFailure(at, null, result);
    }
    await waitUntil(result.retryAt, signal);
  }
}

const noLesson = { title: null, minutes: null, markdown: '' };

function isCaptions({ content_type: type }: CourseFile): boolean {
  return type === 'text/vtt';
}

function keysIn({ attrs, content = [] }: DocumentNode, keys: Set<string>): void {
  const file = attrs?.['file'];
  if (typeof file === 'string') {
    keys.add(file);
  }
  for (const child of content) {
    keysIn(child, keys);
  }
}

/** @throws what `signal` is aborted with */
function waitUntil(time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.max(time - Date.now(), 0));
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

async function openFile(
  { url, name, key }: CourseFile,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(url, { signal }).catch(() => null);
  signal.throwIfAborted();
  if (response === null || !response.ok || response.body === null) {
    throw new DownloadFailure(name, key, null);
  }
  return response.body;
}

/** The bytes of a file, which has to have as many as it should. */
async function* counted(
  stream: ReadableStream<Uint8Array>,
  { name, key, size }: CourseFile,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        break;
      }
      length += value.length;
      onBytes(value.length);
      // What `fetch` gives is in memory of its own.
      yield value as Uint8Array<ArrayBuffer>;
    }
  } catch {
    throw new DownloadFailure(name, key, null);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  if (length !== size) {
    throw new DownloadFailure(name, key, null);
  }
}
