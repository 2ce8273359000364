import { linksInText } from '#lib/links-in-text.ts';

/**
 * A text that someone has typed, whose `https://` addresses are links that look as they were typed.
 * They open in another tab, which learns nothing of this page, and lend it no reputation.
 */
export function LinkedText({ text }: { text: string }) {
  return linksInText(text).map(({ at, text: typed, href }) =>
    href === undefined ? (
      typed
    ) : (
      <a
        key={at}
        href={href}
        className="link wrap-anywhere"
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
      >
        {typed}
      </a>
    ),
  );
}
