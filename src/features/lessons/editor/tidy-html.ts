import { maxDepth } from '#features/documents/nodes.ts';
import { videoOf } from '#features/documents/videos.ts';
import { linkTo } from './link-to.ts';

/** HTML as elements that load and run nothing: styles and handlers are `data-style`, `data-on…`. */
export function bodyOf(html: string): HTMLElement {
  // Under their own names, the page's policy refuses and reports them.
  const inert = html
    .toWellFormed()
    .replace(/<(\/?)style\b/gi, '<$1script')
    .replace(/<[a-z][^<>]*>/gi, (tag) =>
      // Not within what is quoted, such as an address.
      tag.replace(
        /("[^"]*"|'[^']*')|(?<=[\s/"'])((?:style|on\w+)\s*=)/gi,
        (_, quoted, name) => quoted ?? `data-${name}`,
      ),
    );
  return new DOMParser().parseFromString(inert, 'text/html').body;
}

/**
 * Rearranges elements so that the schema's parser reads all of them.
 */
export function fitToSchema(body: HTMLElement): void {
  for (const element of body.querySelectorAll(
    'script, meta, link, title, template, colgroup, svg',
  )) {
    element.remove();
  }
  for (const element of body.querySelectorAll('summary, dt, legend, caption, center')) {
    rename(element, 'div');
  }
  raiseDigits(body);
  findCode(body);
  findVideos(body);
  flatten(body);
  for (const table of body.querySelectorAll(':is(td, th) table')) {
    table.replaceWith(...linesOfTable(table));
  }
  numberItems(body);
  for (const wide of [...body.querySelectorAll(`table, ${cards}`)].slice(0, mostWide)) {
    liftToTopLevel(wide, body);
  }
  for (const item of body.querySelectorAll('li')) {
    const first = [...item.childNodes].find((node) => !isBlankText(node));
    // Items begin with a paragraph.
    if (
      first instanceof Element &&
      blocks.test(first.localName) &&
      !/^(p|div)$/.test(first.localName)
    ) {
      item.insertBefore(body.ownerDocument.createElement('p'), item.firstChild);
    }
  }
}

/** Each divides what it is in, which takes long for more than anyone writes. */
const mostWide = 1_000;

/** What stands for a video, an image or a file until it is a node of a document. */
export function cardOf(
  body: Element,
  kind: 'video' | 'image' | 'file',
  value: string,
  title: string,
) {
  const card = body.ownerDocument.createElement('div');
  card.setAttribute(`data-${kind}`, value);
  card.setAttribute('data-title', title);
  return card;
}

const cards = '[data-video], [data-image], [data-file]';

export function styleOf(element: Element, property: string): string {
  const style = element.getAttribute('data-style') ?? '';
  return new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([^;]+)`, 'i').exec(style)?.[1]?.trim() ?? '';
}

export function rename(element: Element, tag: string): Element {
  const renamed = element.ownerDocument.createElement(tag);
  move(element, renamed);
  element.replaceWith(renamed);
  return renamed;
}

export function unwrap(element: Element): void {
  const inside = element.ownerDocument.createDocumentFragment();
  move(element, inside);
  element.replaceWith(inside);
}

/** One by one: there can be more than a call has arguments. */
function move(from: Element, to: Node): void {
  while (from.firstChild !== null) {
    to.appendChild(from.firstChild);
  }
}

/** Elements with lines of their own. */
export const blocks =
  /^(p|h[1-6]|[ud]l|ol|li|d[td]|table|t(head|body|foot|r|d|h)|div|blockquote|hr|pre|section|article|aside|main|header|footer|nav|fig(ure|caption)|details|summary|center|body)$/;

export function isBlankText(node: Node): boolean {
  return node.nodeType === Node.TEXT_NODE && (node.nodeValue ?? '').trim() === '';
}

const raised = { sup: '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻', sub: '₀₁₂₃₄₅₆₇₈₉₊₋' };

/** Numbers above and below the line are characters: x2 would not be x². */
function raiseDigits(body: Element): void {
  for (const element of body.querySelectorAll('sup, sub')) {
    const signs = element.localName === 'sup' ? raised.sup : raised.sub;
    const text = element.textContent.trim().replace('−', '-');
    if (/^[\d+-]+$/.test(text)) {
      element.textContent = [...text].map((sign) => signs['0123456789+-'.indexOf(sign)]).join('');
    }
  }
}

const monospaced = /mono|consolas|courier|menlo|monaco|cascadia|code/i;

/** Code is a block with the lines of its text, without the buttons around it. */
function findCode(body: Element): void {
  for (const element of body.querySelectorAll('div, p')) {
    const space = styleOf(element, 'white-space');
    const isCode = monospaced.test(styleOf(element, 'font-family'))
      ? /^pre/i.test(space)
      : /^pre$/i.test(space) && /^(\t| {2})/m.test(linesIn(element));
    if (isCode && element.closest('pre') === null) {
      rename(element, 'pre');
    }
  }
  for (const pre of body.querySelectorAll('pre')) {
    const [only, ...others] = pre.querySelectorAll('code');
    const isAlone = [...pre.childNodes].every(
      (node) => node instanceof Element || isBlankText(node),
    );
    const code = only !== undefined && others.length === 0 && isAlone ? only : pre;
    for (const button of code.querySelectorAll('button')) {
      button.remove();
    }
    const text = linesIn(code);
    // Of lines that are elements, the last one ends too.
    pre.textContent = code.firstElementChild === null ? text : text.replace(/\n$/, '');
  }
}

/** The text of code whose lines may be blocks or end with breaks. */
function linesIn(element: Element): string {
  const texts = [...element.childNodes].map((node) => {
    if (!(node instanceof Element)) {
      return node.nodeValue ?? '';
    }
    const text = node.localName === 'br' ? '\n' : linesIn(node);
    return /^(div|p|li|tr)$/.test(node.localName) && !text.endsWith('\n') ? `${text}\n` : text;
  });
  return texts.join('');
}

/** Where a player gets what it plays. */
export function playerAddress(frame: Element): string {
  const address = frame.getAttribute('src') ?? frame.getAttribute('data') ?? '';
  return address.replace(/^(http:)?\/\//, 'https://');
}

/** A line that is nothing but a link to a video is the video, and so is its player. */
function findVideos(body: Element): void {
  for (const frame of body.querySelectorAll('iframe, embed, object')) {
    const address = playerAddress(frame);
    const title = frame.getAttribute('title') ?? '';
    const video = videoOf(address);
    if (video !== null) {
      frame.replaceWith(cardOf(body, 'video', video.address, title));
    } else if (linkTo(address) === null) {
      frame.remove();
    } else {
      // What else it plays is a link.
      const link = rename(frame, 'a');
      link.setAttribute('href', address);
      link.textContent = title || address;
      const line = body.ownerDocument.createElement('p');
      link.replaceWith(line);
      line.appendChild(link);
    }
  }
  for (const line of body.querySelectorAll('p')) {
    const link = line.querySelector('a');
    const video = videoOf(linkTo(link?.getAttribute('href') ?? '') ?? '');
    const text = line.textContent.trim();
    const hasComment = [...line.childNodes].some(({ nodeType }) => nodeType === Node.COMMENT_NODE);
    if (
      link !== null &&
      video !== null &&
      text !== '' &&
      link.textContent.trim() === text &&
      !hasComment &&
      line.closest('li, td, th, blockquote') === null
    ) {
      line.replaceWith(
        cardOf(body, 'video', video.address, linkTo(text) === null ? link.textContent : ''),
      );
    }
  }
}

/** How many levels of a document each of them takes. */
const levels: Record<string, number> = { ul: 2, ol: 2, blockquote: 1, table: 3 };
const marks = 'a, b, strong, i, em, s, del, strike, code';

/** Lists and quotes that are nested deeper than documents can be are only what is in them. */
function flatten(body: Element): void {
  for (const element of body.querySelectorAll('ul, ol, blockquote')) {
    let depth = 0;
    for (let one: Element | null = element; one !== null; one = one.parentElement) {
      depth += levels[one.localName] ?? 0;
    }
    // Below them are a paragraph, its text and maybe a mark.
    const below = element.querySelector(marks) === null ? 2 : 3;
    if (depth > maxDepth - below) {
      for (const item of element.querySelectorAll(':scope > li')) {
        rename(item, 'div');
      }
      unwrap(element);
    }
  }
}

/** A table within a table is only text. */
function linesOfTable(table: Element): Element[] {
  return [...table.querySelectorAll('tr')].map((row) => {
    const line = table.ownerDocument.createElement('p');
    line.textContent = [...row.children].map((cell) => cell.textContent.trim()).join(' ');
    return line;
  });
}

/** Items of numbered lists keep their numbers when a list is divided. */
function numberItems(body: Element): void {
  for (const list of body.querySelectorAll('ol')) {
    const first = Number.parseInt(list.getAttribute('start') ?? '1', 10);
    for (const [at, item] of [...list.children].entries()) {
      item.setAttribute('data-number', String((Number.isNaN(first) ? 1 : first) + at));
    }
  }
}

/**
 * Moves a table or a card to the top level by splitting everything around it. What follows it in a
 * list item moves with it; a table around it is not split.
 */
function liftToTopLevel(wide: Element, body: Element): void {
  const table = wide.parentElement?.closest('table');
  if (table) {
    const outside = table.parentNode?.querySelectorAll(':scope > [data-of-table]') ?? [];
    putAfter([...outside].at(-1) ?? table, [wide]);
    wide.setAttribute('data-of-table', '');
  }
  let moving: Node[] = [wide];
  for (let parent = wide.parentElement; parent !== body && parent !== null; ) {
    if (parent.localName === 'li') {
      moving = [...moving, ...nextOf(moving.at(-1))];
    }
    const rest = parent.cloneNode(false) as Element;
    rest.replaceChildren(...nextOf(moving.at(-1)));
    putAfter(parent, [...moving, rest]);
    trim(parent, 'lastChild');
    trim(rest, 'firstChild');
    for (const part of [parent, rest]) {
      const number = part.firstElementChild?.getAttribute('data-number');
      if (part.localName === 'ol' && number) {
        part.setAttribute('start', number);
      }
      if (isBlank(part)) {
        part.remove();
      }
    }
    parent = wide.parentElement;
  }
}

function nextOf(node: Node | undefined): Node[] {
  const next: Node[] = [];
  for (let one = node?.nextSibling; one; one = one.nextSibling) {
    next.push(one);
  }
  return next;
}

/** Removes the breaks and spaces with which a text ends or begins. */
function trim(element: Element, edge: 'firstChild' | 'lastChild'): void {
  const isSpace = (node: ChildNode | null) =>
    node instanceof Element ? node.localName === 'br' : node !== null && isBlankText(node);
  while (isSpace(element[edge])) {
    element[edge]?.remove();
  }
}

export function putAfter(element: Element, nodes: Node[]): void {
  element.replaceWith(element, ...nodes);
}

function isBlank(element: Element): boolean {
  return element.textContent.trim() === '' && element.querySelector(`hr, ${cards}`) === null;
}
