import { linkTo } from './link-to.ts';
import { blocks, bodyOf, fitToSchema, rename, styleOf, unwrap } from './tidy-html.ts';

/** In characters: a text of the longest lesson with all that programs write around its words. */
const mostPasted = 3_000_000;

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
  const body = bodyOf(pasted.slice(0, mostPasted));
  // From this editor, or another one of its kind.
  if (body.querySelector('[data-pm-slice]') !== null) {
    return { html: body.innerHTML, hadImages: false };
  }
  tidyChecklists(body);
  const images = [...body.querySelectorAll('img:not([width="1"])')];
  for (const image of body.querySelectorAll('img')) {
    image.remove();
  }
  tidyWebLists(body);
  tidyWordLists(body);
  tidyQuotes(body);
  tidyMarks(body);
  tidyLinks(body);
  tidyHeadings(body);
  tidyLists(body);
  fitToSchema(body);
  removeEmptyLines(body);
  return { html: body.innerHTML, hadImages: images.length > 0 };
}

/** Whether a text has signs of Markdown that hardly any other text has. */
export function readsAsMarkdown(text: string): boolean {
  return /^(#{1,6} |```|> |[-*+] |1\. )|^\|.+\|$|\*\*\S[^*\n]*\*\*|\[[^[\]\n]+\]\(https?:/m.test(
    text,
  );
}

/** Google Docs draws the boxes of a checklist as images. */
function tidyChecklists(body: Element): void {
  for (const item of body.querySelectorAll('li[role=checkbox]')) {
    for (const box of item.querySelectorAll('img')) {
      box.remove();
    }
    const sign = item.getAttribute('aria-checked') === 'true' ? '☑ ' : '☐ ';
    const line = item.querySelector('p') ?? item;
    line.insertBefore(body.ownerDocument.createTextNode(sign), line.firstChild);
  }
}

/** Word for the web puts each item into a list of its own, with its level: as Word itself writes it. */
function tidyWebLists(body: Element): void {
  for (const list of body.querySelectorAll('.ListContainerWrapper > :is(ol, ul)')) {
    const isNumbered = list.localName === 'ol';
    const lines = [...list.children].map((item) => {
      const line = rename(item, 'p');
      for (const inner of line.querySelectorAll('p')) {
        unwrap(inner);
      }
      const sign = body.ownerDocument.createElement('span');
      sign.textContent = isNumbered ? `${list.getAttribute('start') ?? 1}.` : '•';
      sign.setAttribute('data-style', 'mso-list:Ignore');
      line.insertBefore(sign, line.firstChild);
      line.setAttribute('data-style', `mso-list:level${item.getAttribute('data-aria-level')}`);
      return line;
    });
    list.parentElement?.replaceWith(...lines);
  }
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
  for (const element of body.querySelectorAll(
    'b, strong, i, em, cite, s, del, strike, span, font',
  )) {
    const weight = styleOf(element, 'font-weight');
    const slant = styleOf(element, 'font-style');
    const isBold =
      weight === '' ? /^(b|strong)$/.test(element.localName) : /^(bold|[6-9]\d\d)/.test(weight);
    const isItalic =
      slant === '' ? /^(i|em|cite)$/.test(element.localName) : /^(italic|oblique)/.test(slant);
    const isStruck =
      /^(s|del|strike)$/.test(element.localName) ||
      /line-through/.test(
        styleOf(element, 'text-decoration') || styleOf(element, 'text-decoration-line'),
      );
    const isTitle = element.closest('h1, h2, h3, h4, h5, h6, th') !== null;
    for (const tag of [isBold && !isTitle && 'strong', isItalic && 'em', isStruck && 's']) {
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
}

function removeEmptyLines(body: Element): void {
  for (const line of body.querySelectorAll('p, h2, h3, div, blockquote, li, ul, ol')) {
    const isEmpty =
      line.textContent.trim() === '' &&
      !line.hasAttribute('data-title') &&
      line.querySelector('hr, table, [data-title]') === null;
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
