/** The themes to choose from; without a choice, the colors follow the system. */
const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Stores the choice, so that the server renders it. */
export const themeCookie = 'theme';
export const themeCookieMaxAgeSeconds = 365 * 24 * 60 * 60;

/** Reads the cookie, which may hold anything. */
export function themeOf(cookie: string | undefined): Theme | null {
  return themes.find((theme) => theme === cookie) ?? null;
}

/** Stores a preference in a cookie, which the server reads with the next request. */
export function writeCookie(name: string, value: string, maxAgeSeconds: number): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari -- revisit when it is there.
  document.cookie = `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax${secure}`;
}

/** Uses what this tab, or this browser, keeps. Null where storage is switched off or full. */
export function withStorage<Result>(
  kind: 'sessionStorage' | 'localStorage',
  use: (storage: Storage) => Result,
): Result | null {
  try {
    return use(window[kind]);
  } catch {
    return null;
  }
}
