/**
 * What people may type, of each kind that could be read for more on its way to a page or a mail.
 */
export const typedTexts = {
  tags: 'the <b>bold</b> tag and <0>zero</0>, <1/> and <script>alert(1)</script>',
  placeholders: "{name} {0} {0, plural, other {#}} # '{' ''",
  'entities and ends of scripts': `&amp; "quotes" 'apostrophes' &lt; </script><!-- ]]>`,
  'signs of replacements': '$& $1 $$ $` %s %1$s %__lingui_octothorpe__%',
  'escape sequences': String.raw`\u003cb\u003e \x41 \\u0041 \u005cx41 \n \0`,
  'what turns the direction, or is not seen':
    'שלום\u200b \u202eعليكم\u200d\u2066 \u00a0 \ufeff<wbr>',
};

/** A valid address of that kind. */
export const typedAddress = "{0}#'{$&`%s'@example.com";

/**
 * Something that is read for no more, and begins alike: of names, pages show the first letter too.
 */
export function plainTextLike(typed: string): string {
  return `${[...typed][0]} plain`;
}

const signs: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
};

/** A document as it is read: texts and the tags between them by turns, nothing escaped any more. */
export function nodesOf(html: string): string[] {
  return html
    .split(/(<[^>]*>)/)
    .map((node) => node.replace(/&(#?\w+);/g, (entity, name) => signs[name] ?? entity));
}

/** The texts alone. */
export function textIn(nodes: string[]): string {
  return nodes.filter((_node, index) => index % 2 === 0).join('');
}
