/** Colours that a person can ask for; without a choice they follow the system. */
const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Keeps the choice, so that the server renders it at once. */
export const themeCookie = 'theme';
export const themeCookieMaxAgeSeconds = 365 * 24 * 60 * 60;

/** What the cookie says, which anybody can write. */
export function themeOf(cookie: string | undefined): Theme | null {
  return themes.find((theme) => theme === cookie) ?? null;
}
