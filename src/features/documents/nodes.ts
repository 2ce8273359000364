import type { MarkSpec, NodeSpec } from 'prosemirror-model';
import { videoOf } from './videos.ts';

/**
 * Everything that a lesson's document can consist of, with the names that Tiptap uses: the editor
 * builds its extensions from it, and the worker checks what is saved against it.
 *
 * Tables, videos, images and files stand between other blocks, and never inside one.
 */
export const nodes = {
  doc: { content: '(block | wide)+' },
  paragraph: { content: 'inline*', group: 'block' },
  heading: {
    content: 'inline*',
    group: 'block',
    attrs: { level: { default: 2, validate: oneOfThese([2, 3]) } },
  },
  bulletList: { content: 'listItem+', group: 'block list' },
  orderedList: {
    content: 'listItem+',
    group: 'block list',
    attrs: { start: { default: 1, validate: wholeNumber(0, 9_999) } },
  },
  listItem: { content: 'paragraph block*' },
  blockquote: { content: 'block+', group: 'block' },
  codeBlock: { content: 'text*', marks: '', group: 'block', code: true },
  horizontalRule: { group: 'block' },
  table: { content: 'tableRow+', group: 'wide' },
  tableRow: { content: '(tableCell | tableHeader)+' },
  tableCell: { content: 'block+', attrs: spans() },
  tableHeader: { content: 'block+', attrs: spans() },
  /** Somewhere else, with the title that its card shows. */
  video: {
    group: 'wide',
    atom: true,
    attrs: {
      src: { validate: must((src) => videoOf(String(src))?.address === src) },
      title: { default: '', validate: must((title) => isLine(title, 120)) },
    },
  },
  /** A picture among the files of the course, with what it shows, for those who can't see it. */
  image: {
    group: 'wide',
    atom: true,
    attrs: {
      file: { validate: must(isFileKey) },
      alt: { default: '', validate: must((alt) => isLine(alt, maxAlt)) },
    },
  },
  /** A file of the course to play or to download. */
  file: {
    group: 'wide',
    atom: true,
    attrs: {
      file: { validate: must(isFileKey) },
      name: { validate: must((name) => isLine(name, 120)) },
    },
  },
  hardBreak: { content: '', group: 'inline', inline: true },
  text: { group: 'inline' },
} as const satisfies Record<string, NodeSpec>;

/** From the outermost: a link stays one where its words look different. */
export const marks = {
  link: { attrs: { href: { validate: must((href) => isSafeLink(href)) } } },
  bold: {},
  italic: {},
  strike: {},
  code: { excludes: '_' },
} as const satisfies Record<string, MarkSpec>;

/**
 * How many characters a lesson can have, how many bytes of JSON with its tables and marks, and how
 * deep its lists and quotes can be nested.
 */
export const maxCharacters = 50_000;
export const maxBytes = 500_000;
export const maxDepth = 24;

/** How long the description of an image can be. */
export const maxAlt = 300;

/** Whether a value is what documents call a file of their course by. */
export function isFileKey(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z0-9]{10}$/.test(value);
}

/** How links call another lesson of their course: by its id, or the id of what it is a copy of. */
export const lessonLink = /^lesson:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Whether readers can be sent there: to a page that names only its own host, to a mailbox, or to
 * another lesson.
 */
export function isSafeLink(href: unknown): href is string {
  if (typeof href === 'string' && lessonLink.test(href)) {
    return true;
  }
  if (typeof href !== 'string' || href.length > 2_000 || !/^(https:\/\/|mailto:)\S+$/i.test(href)) {
    return false;
  }
  const url = URL.parse(href);
  return url !== null && url.username === '' && url.password === '';
}

function isLine(value: unknown, length: number): boolean {
  return typeof value === 'string' && value.length <= length && !/\p{Cc}/u.test(value);
}

function spans() {
  return {
    colspan: { default: 1, validate: wholeNumber(1, 50) },
    rowspan: { default: 1, validate: wholeNumber(1, 500) },
  };
}

function wholeNumber(least: number, most: number) {
  return must(
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  );
}

function oneOfThese(values: unknown[]) {
  return must((value) => values.includes(value));
}

/** A check of an attribute as ProseMirror calls it. */
function must(holds: (value: unknown) => boolean) {
  return (value: unknown) => {
    if (!holds(value)) {
      throw new RangeError('An attribute has a value that is not allowed');
    }
  };
}
