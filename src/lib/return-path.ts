/** The cookie with the page to return to after signing in. */
export const returnCookie = 'return_to';
/** As long as a login link works. */
export const returnCookieSeconds = 10 * 60;

/** Longer than the address of any page. */
const maxLength = 500;

/**
 * Checks where to return to after signing in. Only a page of this app is accepted, because anyone
 * can make a link to /login.
 *
 * @param next the unchecked text of a query parameter or a cookie; null without one
 * @param origin the app's origin
 * @returns the path, with its query and fragment, as browsers read it; null for anything else
 */
export function returnPathOf(next: string | null, origin: string): string | null {
  if (next === null || next.length > maxLength || !isPath(next)) {
    return null;
  }
  const url = URL.parse(next, origin);
  if (url?.origin !== origin || /^\/(api|RSC)(\/|$)/.test(url.pathname)) {
    return null;
  }
  const path = url.pathname + url.search + url.hash;
  // Browsers read `/..//` as `//`, which begins the address of another host.
  return isPath(path) ? path : null;
}

function isPath(text: string): boolean {
  return /^\/(?![/\\])\P{Cc}*$/u.test(text);
}
