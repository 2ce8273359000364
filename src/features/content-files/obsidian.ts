import { escapeHtml } from '#features/documents/render-document.ts';

/**
 * Writes a text of Markdown as HTML, with Obsidian's signs as what they mean: `![[image.png|300]]`,
 * `[[page|words]]`, `%%comments%%` and callouts. Formulas stay as they were typed.
 */
export function notesHtml(text: string, source: string): string {
  const typed = formula.test(source) ? source : text;
  return typed
    .replace(/%%[^%]*%%/g, '')
    .split(/(!?\[\[[^[\]\n]+\]\])/)
    .map((part, at) => (at % 2 === 1 ? linkOf(part) : escapeHtml(part)))
    .join('')
    .replace(/^\[!\w+\][+-]?[ \t]*([^\n]*)\n?/, (_, title: string) =>
      title === '' ? '' : `<strong>${title}</strong><br>`,
    )
    .replaceAll('\n', ' ');
}

const formula = /\$(?=\S)[^$\n]*\S\$(?!\d)/;

function linkOf(sign: string): string {
  const [, mark, target = '', words] = /^(!?)\[\[([^|]*)\|?(.*)\]\]$/.exec(sign) ?? [];
  const path = target.replace(/[#^].*$/, '').trim();
  // After an image, numbers say how large it is.
  const label = words === undefined || /^\d+(x\d+)?$/.test(words) ? '' : words;
  const name = label || (target.split('/').at(-1) ?? target);
  const isFile = /\.\w{2,4}$/.test(path);
  const address = escapeHtml(isFile ? path : `${path}.md`);
  return path === ''
    ? escapeHtml(name)
    : mark === '!' && isFile
      ? `<img src="${address}" alt="${escapeHtml(label)}">`
      : `<a href="${address}">${escapeHtml(name)}</a>`;
}
