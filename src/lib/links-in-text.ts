const addressPattern = /https:\/\/[^\s<>"“”«»]+/gi;

/** What ends a sentence or a quotation, or marks words in a text, and is not part of an address. */
const trailing = ".,;:!?…'’›】*`";

/** Brackets are part of an address in pairs. */
const openingOf: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/** A piece of a text: where it begins, as it was typed, and the address that it is, if it is one. */
type TextPart = { at: number; text: string; href?: string };

/**
 * Splits a text at the addresses in it that start with `https://`. Nothing else is a link, so that
 * no one sends readers to a script, to a file or past encryption.
 */
export function linksInText(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(addressPattern)) {
    const typed = withoutEnd(found);
    if (!isPlain(typed)) {
      continue;
    }
    parts.push({ at: end, text: text.slice(end, index) }, { at: index, text: typed, href: typed });
    end = index + typed.length;
  }
  return [...parts, { at: end, text: text.slice(end) }].filter((part) => part.text !== '');
}

/** Whether it has no user part: `bank.example@evil.example` looks like another host. */
function isPlain(typed: string): boolean {
  const url = URL.parse(typed);
  return url !== null && url.username === '' && url.password === '';
}

/** An address without what belongs to the sentence around it, such as a bracket that it closes. */
function withoutEnd(found: string): string {
  const unopened = new Map<string, number>();
  for (const [closing, opening] of Object.entries(openingOf)) {
    unopened.set(closing, found.split(closing).length - found.split(opening).length);
  }
  let end = found.length;
  for (; end > 0; end -= 1) {
    const last = found.charAt(end - 1);
    const extra = unopened.get(last) ?? 0;
    if (extra <= 0 && !trailing.includes(last)) {
      break;
    }
    unopened.set(last, extra - 1);
  }
  return found.slice(0, end);
}
