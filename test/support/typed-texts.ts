/**
 * Texts of each kind that could be misread as code on their way to a page or an email.
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
 * A harmless text with the same first letter, because pages also show the initials of names.
 */
export function plainTextLike(typed: string): string {
  return `${[...typed][0]} plain`;
}

/** Digits as other keyboards type them, by the zero of those. */
export function digitsFrom(zero: string, digits: string): string {
  return digits.replace(/\d/g, (digit) => String.fromCharCode(zero.charCodeAt(0) + Number(digit)));
}

/** What people type into emails, by the names of its fields; the titles of sections are a list. */
const isTyped =
  /^(name|course|cohort|payer|place|(welcome|payment|refund)_note|note|title|public_line|subject|text|word|moved_from|first|next|\d+)$/;

/** Changes everything that is typed into emails. */
export function changeTyped(facts: unknown, change: (typed: string) => string): void {
  for (const [key, value] of Object.entries(facts as Record<string, unknown>)) {
    if (typeof value === 'object' && value !== null) {
      changeTyped(value, change);
    } else if (typeof value === 'string' && isTyped.test(key)) {
      Object.assign(facts as object, { [key]: change(value) });
    }
  }
}

const signs: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
};

/** A document as parsed: texts and tags alternating, unescaped. */
export function nodesOf(html: string): string[] {
  return html
    .split(/(<[^>]*>)/)
    .map((node) => node.replace(/&(#?\w+);/g, (entity, name) => signs[name] ?? entity));
}

/** Only the texts. */
export function textIn(nodes: string[]): string {
  return nodes.filter((_node, index) => index % 2 === 0).join('');
}
