import 'server-only';
import { html, raw } from 'hono/html';
import type { CourseHue, Locale } from '#db/values.ts';
import { linksInText } from '#lib/links-in-text.ts';

/** What an email says, in the order in which it is read, in the recipient's language. */
export type Letter = {
  language: Locale;
  subject: string;
  preheader: string;
  /** The hue of the course; without one, the cover has the product's color. */
  hue?: CourseHue | null | undefined;
  /** On the cover, above its title. */
  kind: string;
  title: string;
  /** What the email says first, if its cover says what it is about. */
  heading?: string;
  /** The cover as plain text says it. */
  about?: string;
  greeting: string;
  paragraphs: string[];
  /** A day to come, set like a page of a calendar. A paragraph says it in full. */
  day?: { month: string; day: string; weekday: string; title: string; lines: string[] };
  /**
   * What someone else has written, set apart from our words; a label says who or what it is. The
   * addresses in it are links.
   */
  quotes?: { label?: string; lines: string[] }[];
  code?: { label: string; digits: string; warning: string };
  button?: { label: string; link: string; copyHint: string };
  /** Beside the button: a file for calendars. */
  calendar?: { label: string; link: string };
  /** Another link, which is not what the email is for. */
  second?: { label: string; link: string };
  /** An address in a place is a link, as in the lines of entries. */
  facts: { label: string; value: string; isPlace?: boolean }[];
  /** A list of things, each with a link to its page if it has one. */
  entries?: { title: string; lines: string[]; link?: string }[];
  notes: string[];
  why: string;
  /** Where these emails end, for those that are not about one's own place. */
  wayOut?: { label: string; link: string };
};

/** Light and dark. A color that the app has too is the app's token (`styles/tokens.css`). */
type Color = [light: string, dark: string];

/** The covers of courses, as the app has them. */
export const covers: Record<CourseHue, Color> = {
  teal: ['#12515a', '#174f57'],
  plum: ['#5c3a5c', '#5a3d5b'],
  brick: ['#7f3f2d', '#723e2e'],
  moss: ['#4a5828', '#48552a'],
  indigo: ['#37477a', '#3b4975'],
};

/** Colors on a cover, solid because Word has no transparency. */
function coverColors(hue: CourseHue) {
  const on = (color: string, percent: number): Color => [
    mix(color, covers[hue][0], percent),
    mix(color, covers[hue][1], percent),
  ];
  return {
    cover: covers[hue],
    'cover-muted': on('#fbf4e6', 78),
    spine: on('#000000', 18),
    'spine-edge': on('#ffffff', 15),
  };
}

/** Mixes two colors; `percent` of the first. */
function mix(color: string, below: string, percent: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [over, under] = [color, below].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16));
    return Math.round(((over ?? 0) * percent + (under ?? 0) * (100 - percent)) / 100);
  });
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

const houseColors = {
  paper: ['#faf7f1', '#171614'],
  surface: ['#fffdf9', '#201e1b'],
  tint: ['#f1ebe0', '#312d28'],
  ink: ['#23211d', '#ece7dd'],
  muted: ['#625c52', '#a9a194'],
  line: ['#e6dfd1', '#322f2a'],
  rule: ['#cec4b2', '#4a453d'],
  accent: ['#12515a', '#7cc4ca'],
  'on-accent': ['#ffffff', '#0b2327'],
  'cover-ink': ['#fbf4e6', '#fbf4e6'],
} as const satisfies Record<string, Color>;

type Colors = Record<keyof typeof houseColors | keyof ReturnType<typeof coverColors>, Color>;

/** All colors of an email whose cover has a hue. */
export function colorsOf(hue?: CourseHue | null): Colors {
  return { ...houseColors, ...coverColors(hue ?? 'teal') };
}

const house = colorsOf();

/** The color of each property of a part, by class. */
export const paints = {
  paper: { 'background-color': 'paper', color: 'ink' },
  card: { 'background-color': 'surface', 'border-color': 'line' },
  cover: { 'background-color': 'cover' },
  spine: { 'background-color': 'spine', 'border-color': 'spine-edge' },
  kind: { color: 'cover-muted' },
  title: { color: 'cover-ink' },
  name: { color: 'ink' },
  ink: { color: 'ink' },
  muted: { color: 'muted' },
  quote: { 'border-color': 'rule' },
  code: { 'background-color': 'tint', color: 'ink' },
  button: { 'background-color': 'accent' },
  other: { 'border-color': 'rule' },
  label: { color: 'on-accent' },
  quiet: { color: 'ink' },
  fact: { 'border-color': 'line' },
  link: { color: 'accent' },
  page: { 'border-color': 'accent' },
  stand: { 'background-color': 'accent' },
} as const satisfies Record<string, Record<string, keyof Colors>>;

type Part = keyof typeof paints;

function paintOf(part: Part, colors: Colors, theme: 0 | 1, ending: string): string {
  return Object.entries(paints[part])
    .map(([property, color]) => `${property}:${colors[color][theme]}${ending}`)
    .join('');
}

/** The attributes of an element in a part's light colors; its class makes them dark. */
function painted(part: Part, style: string, colors = house) {
  return raw(`class="${part}" style="${paintOf(part, colors, 0, ';')}${style}"`);
}

function darkRules(colors: Colors): string {
  return (
    (Object.keys(paints) as Part[])
      // Only `!important` wins over the light colors, which are inline.
      .map((part) => `.${part}{${paintOf(part, colors, 1, '!important;')}}`)
      .join('\n')
  );
}

/** Everything here may be dropped by a mail program: without it, the email is light and whole. */
const styleSheet = (colors: Colors) => `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){
.outside{padding:24px 16px 32px!important}
.front{padding:20px!important}
.inside{padding:24px 20px 28px 36px!important}
.button,.other{width:100%!important}
.label,.quiet{display:block!important;padding-left:12px!important;padding-right:12px!important}
}
@media (prefers-color-scheme:dark){
${darkRules(colors)}
}
`;

const sans =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;";
const serif = "font-family:Georgia,'Times New Roman',serif;";
const mono = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'Courier New',monospace;";

/** What people have typed, such as an address, may be one word that is wider than a phone. */
const wrap = 'overflow-wrap:anywhere;word-break:break-word;';

const body = 'font-size:16px;line-height:24px;';
const small = 'font-size:14px;line-height:20px;';

const layoutTable = raw('role="presentation" cellspacing="0" cellpadding="0" border="0"');

/** Outlook for Windows, like Word, knows no `max-width` and no second choice of a font. */
const wordFonts = `<!--[if mso]><style>td,p,a{font-family:'Segoe UI',Arial,sans-serif!important}h1,.name{font-family:Georgia,serif!important}</style><![endif]-->`;
const wordColumn = [
  '<!--[if mso]><table role="presentation" width="552" align="center"><tr><td><![endif]-->',
  '<!--[if mso]></td></tr></table><![endif]-->',
] as const;

/** Keeps mail programs from filling the preview with the email's first words. */
const endOfPreview = '\u034f\u200c\u00a0'.repeat(60);

/** An email as HTML for mail programs: tables, inline colors, no image and no other request. */
export async function documentOf(letter: Letter): Promise<string> {
  const { language, subject, preheader, button, why, wayOut } = letter;
  const colors = colorsOf(letter.hue);
  const document = html`<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${subject}</title>
<style>${raw(styleSheet(colors))}</style>
${raw(wordFonts)}
</head>
<body ${painted('paper', 'margin:0;padding:0;')}>
<div lang="${language}" dir="ltr" role="article" aria-label="${subject}" ${painted('paper', `${sans}${wrap}text-wrap:pretty;`)}>
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preheader}${endOfPreview}</div>
<table ${layoutTable} width="100%"><tr>
<td align="center" class="outside" style="padding:32px 24px 40px">
${raw(wordColumn[0])}
<table ${layoutTable} width="100%" style="max-width:552px;text-align:left;text-align:start">
<tr><td style="padding:0 0 24px">${wordmark()}</td></tr>
<tr><td>
<table ${layoutTable} width="100%" ${painted('card', 'border-width:1px;border-style:solid;border-collapse:separate;border-radius:8px 16px 16px 8px;')}>
<tr><td ${painted('cover', 'border-radius:7px 15px 0 0;', colors)}>${coverHtml(letter, colors)}</td></tr>
<tr><td class="inside" style="padding:28px 32px 32px 48px">${insideHtml(letter)}</td></tr>
</table>
</td></tr>
<tr><td style="padding:20px 8px 0">
${button && plainAddressHtml(button)}
<p ${painted('muted', `margin:0;${small}`)}>${why}${wayOut && wayOutHtml(wayOut)}</p>
</td></tr>
</table>
${raw(wordColumn[1])}
</td>
</tr></table>
</div>
</body>
</html>`;
  return String(await document);
}

/**
 * The book on a lectern is drawn with borders, because an image would be fetched, blocked or
 * attached (decision 40). Word would draw boxes, so it gets only the name.
 */
function wordmark() {
  const page = 'height:10px;line-height:0;font-size:0;border-style:solid;';
  const left = `${page}border-width:2px 1px 2px 2px;border-radius:1px 0 0 1px;border-top-right-radius:10px 3px;border-bottom-left-radius:10px 3px;`;
  const right = `${page}border-width:2px 2px 2px 1px;border-radius:0 1px 1px 0;border-top-left-radius:10px 3px;border-bottom-right-radius:10px 3px;`;
  return html`<table ${layoutTable}><tr>
${raw('<!--[if !mso]><!-->')}
<td style="padding:0 12px 0 2px"><table ${layoutTable} aria-hidden="true" style="width:22px">
<tr><td ${painted('page', left)}></td><td ${painted('page', right)}></td></tr>
<tr><td colspan="2">
<div ${painted('stand', 'width:2px;height:5px;margin:0 auto;line-height:0;font-size:0;')}></div>
<div ${painted('stand', 'width:10px;height:2px;margin:0 auto;border-radius:1px;line-height:0;font-size:0;')}></div>
</td></tr>
</table></td>
${raw('<!--<![endif]-->')}
<td><p ${painted('name', `margin:0;${serif}font-size:20px;line-height:28px;font-weight:600;letter-spacing:-0.01em;`)}>Lectern</p></td>
</tr></table>`;
}

function coverHtml({ kind, title, heading }: Letter, colors: Colors) {
  const style = `margin:0;${serif}font-size:26px;line-height:32px;font-weight:600;letter-spacing:-0.015em;text-wrap:balance;`;
  return html`<table ${layoutTable} width="100%"><tr>
<td width="16" ${painted('spine', 'width:15px;border-style:solid;border-width:0 1px 0 0;border-radius:7px 0 0;font-size:0;line-height:0;', colors)}>\u00a0</td>
<td class="front" style="padding:24px 32px">
<p dir="auto" ${painted('kind', `margin:0 0 4px;${small}`, colors)}>${kind}</p>
${heading === undefined ? html`<h1 ${painted('title', style)}>${title}</h1>` : html`<p dir="auto" ${painted('title', style)}>${title}</p>`}
</td>
</tr></table>`;
}

function insideHtml(letter: Letter) {
  const { greeting, heading, paragraphs, day, quotes, code, facts, entries, notes } = letter;
  return html`<p ${painted('ink', `margin:0;${body}`)}>${greeting}</p>
${heading && html`<h1 ${painted('ink', `margin:8px 0 0;${serif}font-size:26px;line-height:32px;font-weight:600;letter-spacing:-0.015em;text-wrap:balance;`)}>${heading}</h1>`}
${paragraphs.map((text) => html`<p ${painted('ink', `margin:12px 0 0;${body}`)}>${text}</p>`)}
${day && dayHtml(day)}
${entries?.map(entryHtml)}
${quotes?.map(quoteHtml)}
${code && codeHtml(code)}
${actionsHtml(letter)}
${facts.length > 0 && factsHtml(facts)}
${notes.map((text) => html`<p ${painted('muted', `margin:12px 0 0;${small}`)}>${text}</p>`)}`;
}

function quoteHtml({ label, lines }: NonNullable<Letter['quotes']>[number]) {
  return html`${label && html`<p ${painted('ink', `margin:12px 0 0;${body}`)}>${label}</p>`}
<table ${layoutTable} width="100%" style="margin:12px 0 0"><tr>
<td ${painted('quote', 'padding:0 0 0 16px;border-style:solid;border-width:0 0 0 3px;')}>
${lines.map((text, index) => html`<p dir="auto" ${painted('ink', `margin:${index === 0 ? 0 : '12px'} 0 0;${body}`)}>${linkedHtml(text)}</p>`)}
</td>
</tr></table>`;
}

/** A text that someone has typed; see `LinkedText`, which is the same for pages. */
function linkedHtml(typed: string) {
  return linksInText(typed).map(({ text, href }) =>
    href === undefined
      ? text
      : html`<a href="${href}" target="_blank" rel="noopener noreferrer nofollow ugc" ${painted('link', 'text-decoration:underline;')}>${text}</a>`,
  );
}

function dayHtml({ month, day, weekday, title, lines }: NonNullable<Letter['day']>) {
  const line = 'border-style:solid;border-width:1px 0;';
  return html`<table ${layoutTable} width="100%" style="margin:20px 0 0"><tr>
<td width="60" align="center" aria-hidden="true" ${painted('fact', `${line}padding:12px 0;width:60px;`)}>
<p ${painted('muted', `margin:0;${small}`)}>${month}</p>
<p ${painted('ink', `margin:0;${serif}font-size:26px;line-height:32px;font-weight:600;`)}>${day}</p>
<p ${painted('muted', `margin:0;${small}`)}>${weekday}</p>
</td>
<td ${painted('fact', `${line}padding:12px 0 12px 20px;`)}>
<p dir="auto" ${painted('ink', `margin:0;${body}font-weight:600;`)}>${title}</p>
${lines.map((text) => html`<p dir="auto" ${painted('muted', `margin:2px 0 0;${small}`)}>${text}</p>`)}
</td>
</tr></table>`;
}

function codeHtml({ label, digits, warning }: NonNullable<Letter['code']>) {
  return html`<table ${layoutTable} width="100%" style="margin:20px 0 0"><tr>
<td ${painted('code', 'padding:16px 20px;border-radius:8px;')}>
<p ${painted('muted', `margin:0;${small}`)}>${label}</p>
<p ${painted('ink', `margin:4px 0 8px;${mono}font-size:28px;line-height:36px;font-weight:600;letter-spacing:0.08em;word-spacing:-0.3em;white-space:nowrap;`)}>${digits}</p>
<p ${painted('muted', `margin:0;${small}`)}>${warning}</p>
</td>
</tr></table>`;
}

/** Word ignores the padding of links, but not that of cells. */
const buttonCell = raw('align="center" style="mso-padding-alt:14px 24px"');
const buttonLabel =
  'display:inline-block;padding:14px 24px;font-size:16px;line-height:20px;font-weight:600;text-decoration:none;';

function actionsHtml({ button, calendar, second }: Letter) {
  const below = calendar === undefined ? '16px' : '12px';
  return html`${
    button &&
    html`<table ${layoutTable} ${painted('button', `margin:24px 0 ${below};border-radius:8px;border-collapse:separate;`)}><tr>
<td ${buttonCell}><a href="${button.link}" ${painted('label', buttonLabel)}>${button.label}</a></td>
</tr></table>`
  }
${
  calendar &&
  html`<table ${layoutTable} ${painted('other', 'margin:0 0 16px;border-width:1px;border-style:solid;border-radius:8px;border-collapse:separate;')}><tr>
<td ${buttonCell}><a href="${calendar.link}" ${painted('quiet', buttonLabel)}>${calendar.label}</a></td>
</tr></table>`
}
${second && secondHtml(second)}`;
}

function secondHtml({ label, link }: NonNullable<Letter['second']>) {
  return html`<p ${painted('ink', `margin:0 0 16px;${body}`)}><a href="${link}" ${painted('link', 'text-decoration:underline;')}>${label}</a></p>`;
}

/** The space after a label parts it from its value where styles are off. */
function factsHtml(facts: Letter['facts']) {
  const cell = `padding:8px 0;${body}border-style:solid;border-width:1px 0 0;vertical-align:top;`;
  return html`<table ${layoutTable} width="100%" style="margin:28px 0 0">
${facts.map(
  ({ label, value, isPlace }) => html`<tr>
<td width="36%" ${painted('fact', `${cell}padding-right:12px;`)}><span ${painted('muted', '')}>${label}\u00a0</span></td>
<td dir="auto" ${painted('fact', cell)}><span ${painted('ink', 'font-weight:500;')}>${isPlace ? linkedHtml(value) : value}</span></td>
</tr>`,
)}
</table>`;
}

function entryHtml({ title, lines, link }: NonNullable<Letter['entries']>[number]) {
  const head =
    link === undefined
      ? html`<span ${painted('ink', 'font-weight:600;')}>${title}</span>`
      : html`<a href="${link}" ${painted('link', 'font-weight:600;text-decoration:underline;')}>${title}</a>`;
  return html`<p dir="auto" ${painted('muted', `margin:16px 0 0;${body}`)}>${head}</p>
${lines.map((text) => html`<p dir="auto" ${painted('muted', `margin:0;${body}`)}>${linkedHtml(text)}</p>`)}`;
}

function wayOutHtml({ label, link }: NonNullable<Letter['wayOut']>) {
  return html`<br>
<a href="${link}" ${painted('link', 'text-decoration:underline;')}>${label}</a>`;
}

function plainAddressHtml({ copyHint, link }: NonNullable<Letter['button']>) {
  return html`<p ${painted('muted', `margin:0 0 16px;${small}`)}>${copyHint}<br>
<a href="${link}" ${painted('link', 'text-decoration:underline;word-break:break-all;')}>${link}</a></p>`;
}
