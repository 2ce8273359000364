/**
 * Converts Obsidian's syntax to Markdown: `![[image.png|300]]`, `[[page|words]]`, `%%comments%%` and
 * callouts. Formulas and code stay as they were typed.
 */
export function convertObsidianSyntax(markdown: string): string {
  return markdown
    .split(/(^(?:```|~~~)[\s\S]*?^(?:```|~~~)|`[^`\n]*`)/m)
    .map((part, at) => (at % 2 === 1 ? part : convertText(part)))
    .join('');
}

function convertText(text: string): string {
  return text
    .replace(/%%[\s\S]*?%%/g, '')
    .replace(/\$(?=\S)[^$\n]*\S\$(?!\d)/g, (formula) => formula.replace(/[\\*_]/g, '\\$&'))
    .replace(/^(>\s*)\[!\w+\][+-]?[ \t]*(.*)$/gm, (_, sign: string, title: string) =>
      title === '' ? sign : `${sign}**${title.trim()}**\n${sign}`,
    )
    .replace(/(!?)\[\[([^[\]|\n]+)(?:\|([^[\]\n]*))?\]\]/g, (_, sign, target, words) =>
      linkOf(sign, target, words),
    );
}

function linkOf(sign: string, target: string, words: string | undefined): string {
  const path = target.replace(/[#^].*$/, '').trim();
  const isFile = /\.\w{2,4}$/.test(path);
  // After an image, numbers say how large it is.
  const label = words === undefined || /^\d+(x\d+)?$/.test(words) ? '' : words;
  const name = label || (isFile && sign !== '' ? '' : (target.split('/').at(-1) ?? target));
  return `${isFile ? sign : ''}[${name}](<${isFile ? path : `${path}.md`}>)`;
}
