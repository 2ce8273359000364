import { videoOf } from '#features/documents/videos.ts';
import { linkTo } from './link-to.ts';

/** Lists nested deeper than this are pasted as if they were not. */
const deepestList = 8;

type Pasted = {
  html: string;
  /** Whether images were left out. */
  hadImages: boolean;
};

/**
 * What Google Docs, Notion, Word and web pages put on the clipboard, as plain HTML of what a lesson
 * can have: they say by styles what is bold, a list or a quote.
 */
export function tidyHtml(pasted: string): Pasted {
  // Not under their names, which the page's policy refuses and reports. Scripts don't run here.
  const inert = pasted
    .toWellFormed()
    .replace(/<(\/?)style\b/gi, '<$1script')
    .replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/([\s/"'])(style|on\w+)\s*=/gi, '$1data-$2='));
  const { body } = new DOMParser().parseFromString(inert, 'text/html');
  // From this editor, or another one of its kind.
  if (body.querySelector('[data-pm-slice]') !== null) {
    return { html: body.innerHTML, hadImages: false };
  }
  const hadImages = body.querySelector('img:not([width="1"])') !== null;
  for (const element of body.querySelectorAll('script,meta,link,title,img,colgroup')) {
    element.remove();
  }
  tidyWordLists(body);
  tidyQuotes(body);
  tidyMarks(body);
  tidyLinks(body);
  tidyHeadings(body);
  tidyLists(body);
  tidyTables(body);
  removeEmptyLines(body);
  findVideos(body);
  return { html: body.innerHTML, hadImages };
}

function styleOf(element: Element, property: string): string {
  const style = element.getAttribute('data-style') ?? '';
  return new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([^;]+)`, 'i').exec(style)?.[1]?.trim() ?? '';
}

function rename(element: Element, tag: string): Element {
  const renamed = element.ownerDocument.createElement(tag);
  renamed.replaceChildren(...element.childNodes);
  element.replaceWith(renamed);
  return renamed;
}

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}

const bullet = /^[·•o§▪◦–-]$/;

/** Word writes lists as paragraphs with a level and, in their text, a sign or a number. */
function tidyWordLists(body: Element): void {
  /** The lists that are open, from the outermost. */
  let open: Element[] = [];
  let last: Element | null = null;
  for (const line of body.querySelectorAll('p, li, h1, h2, h3, h4, h5, h6, table')) {
    const list = styleOf(line, 'mso-list');
    if (line.localName !== 'p' || !/level\d/.test(list)) {
      continue;
    }
    if (last === null || last.nextElementSibling !== line) {
      open = [];
    }
    const mark = [...line.querySelectorAll('[data-style]')].find((part) =>
      /ignore/i.test(styleOf(part, 'mso-list')),
    );
    const sign = mark?.textContent.trim() ?? '';
    mark?.remove();
    const tag =
      mark === undefined || bullet.test(sign) || !/[\p{L}\p{N}]/u.test(sign) ? 'ul' : 'ol';
    const level = Math.min(Number(/level(\d+)/.exec(list)?.[1] ?? 1), open.length + 1);
    open = open.slice(0, level);
    const sibling = open[level - 1];
    const item = rename(line, 'li');
    if (sibling === undefined || (sibling.localName !== tag && level === 1)) {
      const created = item.ownerDocument.createElement(tag);
      const first = Number.parseInt(sign, 10);
      if (tag === 'ol' && first > 1) {
        created.setAttribute('start', String(first));
      }
      const parent = open[level - 2]?.lastElementChild;
      if (parent) {
        parent.appendChild(created);
      } else {
        item.parentNode?.insertBefore(created, item);
      }
      open[level - 1] = created;
    }
    open[level - 1]?.appendChild(item);
    last = open[0] ?? null;
  }
}

function tidyQuotes(body: Element): void {
  for (const line of body.querySelectorAll('p.MsoQuote, p.MsoIntenseQuote')) {
    const previous = line.previousElementSibling;
    const quote = body.ownerDocument.createElement('blockquote');
    if (previous?.localName === 'blockquote') {
      previous.appendChild(line);
    } else {
      line.replaceWith(quote);
      quote.appendChild(line);
    }
  }
}

/** Bold and italic are styles of spans, or tags whose style says that they are not. */
function tidyMarks(body: Element): void {
  for (const element of body.querySelectorAll('b, strong, i, em, cite, span, font')) {
    const weight = styleOf(element, 'font-weight');
    const slant = styleOf(element, 'font-style');
    const isBold =
      weight === '' ? /^(b|strong)$/.test(element.localName) : /^(bold|[6-9]\d\d)/.test(weight);
    const isItalic =
      slant === '' ? /^(i|em|cite)$/.test(element.localName) : /^(italic|oblique)/.test(slant);
    const isTitle = element.closest('h1, h2, h3, h4, h5, h6, th') !== null;
    for (const tag of [isBold && !isTitle && 'strong', isItalic && 'em']) {
      if (tag && element.textContent.trim() !== '') {
        const mark = body.ownerDocument.createElement(tag);
        mark.replaceChildren(...element.childNodes);
        element.appendChild(mark);
      }
    }
    unwrap(element);
  }
}

function tidyLinks(body: Element): void {
  for (const link of body.querySelectorAll('a')) {
    const address = linkTo(targetOf(link.getAttribute('href') ?? ''));
    if (address === null || link.textContent.trim() === '') {
      unwrap(link);
    } else {
      link.setAttribute('href', address);
    }
  }
}

/** Google Docs leads links through its own pages, in some of its exports. */
function targetOf(href: string): string {
  const url = URL.parse(href);
  return (
    (url?.hostname === 'www.google.com' && url.pathname === '/url'
      ? url.searchParams.get('q')
      : null) ?? href
  );
}

/** The highest level that is used becomes a heading, all others subheadings. */
function tidyHeadings(body: Element): void {
  for (const title of body.querySelectorAll('p.MsoTitle')) {
    rename(title, 'h1');
  }
  const headings = [...body.querySelectorAll('h1, h2, h3, h4, h5, h6')];
  const [highest] = headings.map(({ localName }) => localName).sort();
  for (const heading of headings) {
    const tag = heading.localName === highest ? 'h2' : 'h3';
    // In a list it would end the list.
    rename(heading, heading.closest('li') === null ? tag : 'p');
  }
}

/** Google Docs nests lists beside their items, and not in them. */
function tidyLists(body: Element): void {
  for (const list of body.querySelectorAll(':is(ul, ol) > :is(ul, ol)')) {
    const before = list.previousElementSibling;
    if (before?.localName === 'li') {
      before.appendChild(list);
    } else {
      unwrap(list);
    }
  }
  for (const list of body.querySelectorAll('ul, ol')) {
    let depth = 0;
    for (let one = list.parentElement; one !== null; one = one.parentElement) {
      depth += /^(ul|ol)$/.test(one.localName) ? 1 : 0;
    }
    const item = list.closest('li');
    if (depth >= deepestList && item !== null) {
      list.remove();
      const { parentNode, nextSibling } = item;
      for (const nested of [...list.childNodes]) {
        parentNode?.insertBefore(nested, nextSibling);
      }
    }
  }
}

/** Tables stand between other blocks: inside of one, or of another table, they are only text. */
function tidyTables(body: Element): void {
  for (const table of body.querySelectorAll(':is(td, th, li, blockquote) table')) {
    const lines = [...table.querySelectorAll('tr')].map((row) => {
      const line = body.ownerDocument.createElement('p');
      line.textContent = [...row.children].map((cell) => cell.textContent.trim()).join(' ');
      return line;
    });
    table.replaceWith(...lines);
  }
}

function removeEmptyLines(body: Element): void {
  for (const line of body.querySelectorAll('p, h2, h3, div, blockquote, li, ul, ol')) {
    const isEmpty = line.textContent.trim() === '' && line.querySelector('hr, table') === null;
    if (isEmpty && line.closest('td, th') === null) {
      line.remove();
    } else if (isEmpty) {
      line.replaceChildren();
    }
  }
  for (const line of body.querySelectorAll('br')) {
    const { parentElement } = line;
    const isBetween = parentElement === body || parentElement?.localName === 'div';
    const isBesideBlock = [line.previousElementSibling, line.nextElementSibling].some(
      (element) => element !== null && blocks.test(element.localName),
    );
    if (line.className === 'Apple-interchange-newline' || (isBetween && isBesideBlock)) {
      line.remove();
    }
  }
}

const blocks = /^(p|h[1-6]|ul|ol|table|div|blockquote|hr)$/;

/** A line that is nothing but a link to a video is the video. */
function findVideos(body: Element): void {
  for (const line of body.querySelectorAll('p')) {
    const link = line.querySelector('a');
    const video = videoOf(link?.getAttribute('href') ?? '');
    const text = line.textContent.trim();
    if (
      link !== null &&
      video !== null &&
      link.textContent.trim() === text &&
      line.closest('li, td, th, blockquote') === null
    ) {
      const card = body.ownerDocument.createElement('div');
      card.setAttribute('data-video', video.address);
      card.setAttribute('data-title', linkTo(text) === null ? text : '');
      line.replaceWith(card);
    }
  }
}
