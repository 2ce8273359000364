import { DOMParser } from '@tiptap/pm/model';
import type { LessonDocument } from '#features/documents/document.ts';
import { markdownToHtml } from '#features/documents/markdown-html.ts';
import { maxAlt } from '#features/documents/nodes.ts';
import { videoOf } from '#features/documents/videos.ts';
import { lessonSchema, lineOf } from '#features/lessons/editor/extensions.ts';
import {
  blocks,
  bodyOf,
  cardOf,
  fitToSchema,
  putAfter,
  rename,
  unwrap,
} from '#features/lessons/editor/tidy-html.ts';

/** A file of the course that Markdown names by its path. */
export type NamedFile = { key: string; kind: 'image' | 'file' };

/** Finds what a lesson links to, by the path as it is written; null if it is missing. */
export type LinkTargets = {
  file: (path: string, as: 'image' | 'link') => NamedFile | null;
  /** The address of another lesson. */
  lesson: (path: string) => string | null;
  /** Called with the address of a player that lessons can't have. */
  onUnsupportedPlayer: (address: string) => void;
};

/** A Markdown text as elements, as far as lessons can have them: words in brackets are text. */
export function readMarkdown(markdown: string): HTMLElement {
  return bodyOf(withoutUnknownTags(markdownToHtml(markdown)));
}

/** Its first heading, which is taken off, if that is of the first level and begins the text. */
export function takeTitle(body: HTMLElement): string | null {
  const heading = body.querySelector('h1');
  const range = body.ownerDocument.createRange();
  range.setEnd(heading ?? body, 0);
  if (heading === null || range.toString().trim() !== '') {
    return null;
  }
  heading.remove();
  return heading.textContent.replace(/\s+/g, ' ').trim();
}

/**
 * Elements as the document of a lesson. Links that lead nowhere safe are only their words, and
 * images of other sites their descriptions. Changes the elements.
 */
export function documentOf(body: HTMLElement, targets: LinkTargets): LessonDocument {
  joinLines(body);
  findFiles(body, targets);
  for (const heading of body.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    rename(heading, heading.localName < 'h3' ? 'h2' : 'h3');
  }
  for (const paragraph of body.querySelectorAll('p:empty:not([data-blank])')) {
    paragraph.remove();
  }
  fitToSchema(body);
  // The top node of its schema.
  return DOMParser.fromSchema(lessonSchema)
    .parse(body, { preserveWhitespace: true })
    .toJSON() as LessonDocument;
}

const optionalEnds = /^(p|li|d[td]|t[rdh]|thead|tbody|tfoot|option)$/;
const empty = /^(area|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/;
/** Their text would not be HTML. */
const ofText = /^(title|textarea|xmp|plaintext|template|select|frameset|noembed|noframes)$/;

/** Shows what no browser knows, or nobody closes, as it was typed: “Dear <name>”. */
function withoutUnknownTags(html: string): string {
  const closed = new Set(
    Array.from(html.matchAll(/<\/([a-z][\w-]*)/gi), ([, name = '']) => name.toLowerCase()),
  );
  return html.replace(/<(?=\/?([a-z][\w-]*))/gi, (sign, given: string) => {
    const name = given.toLowerCase();
    const isKnown =
      /^(svg|math)$/.test(name) ||
      !(name.includes('-') || document.createElement(name) instanceof HTMLUnknownElement);
    const isWhole = closed.has(name) || optionalEnds.test(name) || empty.test(name);
    return isKnown && isWhole && !ofText.test(name) ? sign : '&lt;';
  });
}

/** Lines that HTML was broken into are one text, without the spaces at its edges. */
function joinLines(body: HTMLElement): void {
  const texts = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const { nodeValue: value, parentElement: parent, previousSibling, nextSibling } = text;
    if (value?.includes('\n') && parent !== null && parent.closest('pre') === null) {
      const isEdge = (beside: Node | null) =>
        beside === null
          ? blocks.test(parent.localName)
          : beside instanceof Element &&
            (beside.localName === 'br' || blocks.test(beside.localName));
      text.nodeValue = value
        .replace(/[ \t]*\n\s*/g, '\n')
        .replace(isEdge(previousSibling) ? /^\s+/ : '', '')
        .replace(isEdge(nextSibling) ? /\s+$/ : '', '')
        .replaceAll('\n', ' ');
    }
  }
}

/** Puts cards where files are, and leads links to other lessons. */
function findFiles(body: HTMLElement, { file, lesson, onUnsupportedPlayer }: LinkTargets): void {
  for (const frame of body.querySelectorAll('iframe, embed, object')) {
    const address = frame.getAttribute('src') ?? '';
    if (videoOf(address.replace(/^\/\//, 'https://')) === null) {
      onUnsupportedPlayer(address);
      frame.remove();
    }
  }
  for (const image of body.querySelectorAll('img, video, audio')) {
    const source = image.getAttribute('src') ?? image.querySelector('source')?.src ?? '';
    const words = image.getAttribute('alt') ?? '';
    const found = file(source, 'image');
    image.replaceWith(found === null ? words : cardOfFile(body, found, words, source));
  }
  const shown = new Set<string>();
  for (const link of body.querySelectorAll('a')) {
    const address = link.getAttribute('href') ?? '';
    const isBeside = !/^([a-z][a-z0-9+.-]*:|#|$)/i.test(address);
    const other = isBeside ? lesson(address) : null;
    const found = isBeside && other === null ? file(address, 'link') : null;
    const line = link.closest(`p, li, td, th, h1, h2, h3, h4, h5, h6`);
    if (found !== null) {
      const card = cardOfFile(body, found, link.textContent, address);
      const isAlone = line?.localName === 'p' && line.childNodes.length === 1;
      if (isAlone) {
        line.replaceWith(card);
      } else if (!shown.has(found.key)) {
        putAfter(line ?? link, [card]);
      }
      shown.add(found.key);
    }
    if (other !== null) {
      link.setAttribute('href', other);
    } else if (isBeside || address.startsWith('#')) {
      unwrap(link);
    }
  }
}

function cardOfFile(body: Element, { key, kind }: NamedFile, words: string, path: string): Element {
  const name = path.split('/').at(-1) ?? path;
  return kind === 'image'
    ? cardOf(body, kind, key, lineOf(words, maxAlt))
    : cardOf(body, kind, key, lineOf(words || name, 120));
}
