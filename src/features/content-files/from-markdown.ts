import { DOMParser } from '@tiptap/pm/model';
import type { LessonDocument } from '#features/documents/document.ts';
import { markdownToHtml } from '#features/documents/markdown-html.ts';
import { maxAlt } from '#features/documents/nodes.ts';
import { escapeHtml, hostOf } from '#features/documents/render-document.ts';
import { videoOf } from '#features/documents/videos.ts';
import { lessonSchema, lineOf } from '#features/lessons/editor/extensions.ts';
import { linkTo } from '#features/lessons/editor/link-to.ts';
import {
  blocks,
  bodyOf,
  cardOf,
  fitToSchema,
  playerAddress,
  putAfter,
  rename,
  unwrap,
} from '#features/lessons/editor/tidy-html.ts';
import { notesHtml } from './obsidian.ts';

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

/** Characters that no text has: they stand for the `<` of HTML in Markdown. */
const [inlineTag, blockTag] = ['\ufdd0', '\ufdd1'];

/**
 * A Markdown text as elements, as far as lessons can have them: words in brackets are text.
 *
 * @param isOurs whether it is of a download, in which nothing is Obsidian's
 */
export function readMarkdown(markdown: string, isOurs = true): HTMLElement {
  const html = markdownToHtml(markdown.replace(/[\ufdd0\ufdd1]/g, ''), {
    text: isOurs ? (text) => escapeHtml(text).replaceAll('\n', ' ') : notesHtml,
    // An empty paragraph of ours is not one that parsers make of an end without a beginning.
    html: (tags, isBlock) =>
      tags
        .replaceAll('<p></p>', '<p data-blank></p>')
        .replaceAll('<', isBlock ? blockTag : inlineTag),
  });
  return bodyOf(withTags(html));
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

const empty = /^(area|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/;
const formatting = /^(a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)$/;
/** All that follows would be their text. */
const endless = /^(xmp|plaintext|frameset|template)$/;
/** As far as their end, what they have is no HTML. */
const ofText = /^(title|textarea|script|style|iframe|noscript|noembed|noframes|select)$/;

/** Shows what no browser knows, or nobody closes, as it was typed: “Dear <name>”. */
function withTags(html: string): string {
  const namesOf = (pattern: RegExp) =>
    new Set(Array.from(html.matchAll(pattern), ([, name = '']) => name.toLowerCase()));
  const opened = namesOf(/[\ufdd0\ufdd1]([a-z][\w-]*)/gi);
  const closed = namesOf(/[\ufdd0\ufdd1]\/([a-z][\w-]*)/gi);
  const isTag = (given: string, isBlock: boolean) => {
    const name = given.toLowerCase();
    const isPair = opened.has(name) && closed.has(name);
    const isKnown =
      /^(svg|math)$/.test(name) ||
      !(name.includes('-') || document.createElement(name) instanceof HTMLUnknownElement);
    const mayBeOpen = isBlock && !formatting.test(name) && !ofText.test(name);
    return isKnown && !endless.test(name) && (isPair || empty.test(name) || mayBeOpen);
  };
  return html.replace(
    /([\ufdd0\ufdd1])(?:\/?([a-z][\w-]*)|(!--))?/gi,
    (tag, sign, name, comment) =>
      comment !== undefined || (name !== undefined && isTag(name, sign === blockTag))
        ? `<${tag.slice(1)}`
        : `&lt;${tag.slice(1)}`,
  );
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
      const line = value
        .split('\n')
        .map((part, at, all) =>
          at === 0 ? part.trimEnd() : at < all.length - 1 ? part.trim() : part.trimStart(),
        )
        .join(' ');
      const started = isEdge(previousSibling) ? line.trimStart() : line;
      text.nodeValue = isEdge(nextSibling) ? started.trimEnd() : started;
    }
  }
}

/** Puts cards where files are, and leads links to other lessons. */
function findFiles(body: HTMLElement, targets: LinkTargets): void {
  const { file, lesson, onUnsupportedPlayer } = targets;
  separateImages(body);
  for (const frame of body.querySelectorAll('iframe, embed, object')) {
    const address = playerAddress(frame);
    const isVideo = videoOf(address) !== null;
    const found = isVideo || address === '' ? null : file(address, 'link');
    if (found !== null) {
      frame.replaceWith(cardOfFile(body, found, '', address));
    } else if (address === '') {
      frame.remove();
    } else if (!isVideo) {
      onUnsupportedPlayer(address);
    }
  }
  for (const image of body.querySelectorAll('img, video, audio')) {
    const given = image.getAttribute('src') ?? image.querySelector('source')?.getAttribute('src');
    const source = given ?? '';
    const words = image.getAttribute('alt') ?? '';
    const found = file(source, image.localName === 'img' ? 'image' : 'link');
    image.replaceWith(found === null ? words : cardOfFile(body, found, words, source));
  }
  const shown = new Set<string>();
  for (const link of body.querySelectorAll('a')) {
    const address = (link.getAttribute('href') ?? '').replace(/^\/\//, 'https://');
    const isBeside = !/^([a-z][a-z0-9+.-]*:|#|$)/i.test(address);
    const other = isBeside ? lesson(address) : null;
    const found = isBeside && other === null ? file(address, 'link') : null;
    const line = link.closest('p, li, td, th, h1, h2, h3, h4, h5, h6');
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
    if (isBeside && other === null) {
      unwrap(link);
    } else {
      link.setAttribute('href', other ?? address);
    }
  }
}

/** A picture that leads to a video is the video; others stand before the link that they were. */
function separateImages(body: HTMLElement): void {
  for (const link of body.querySelectorAll('a:has(img)')) {
    const images = [...link.querySelectorAll('img')];
    const words = images
      .map((image) => image.getAttribute('alt') ?? '')
      .join(' ')
      .trim();
    const address = link.getAttribute('href') ?? '';
    const video = videoOf(linkTo(address) ?? '');
    for (const image of images) {
      image.remove();
    }
    if (video !== null) {
      link.replaceWith(cardOf(body, 'video', video.address, lineOf(words, 120)));
    } else {
      link.textContent = link.textContent.trim() || words || hostOf(address) || '…';
      const { parentElement: parent } = link;
      const line = parent?.localName === 'p' && parent.childNodes.length === 1 ? parent : link;
      line.replaceWith(...images, line);
    }
  }
}

function cardOfFile(body: Element, { key, kind }: NamedFile, words: string, path: string): Element {
  const name = path.split('/').at(-1) ?? path;
  return kind === 'image'
    ? cardOf(body, kind, key, lineOf(words, maxAlt))
    : cardOf(body, kind, key, lineOf(words || name, 120));
}
