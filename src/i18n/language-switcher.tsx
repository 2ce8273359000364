'use client';

import { useLingui } from '@lingui/react/macro';
import { startTransition, useActionState, useEffect, useRef } from 'react';
import { useRouter } from 'waku';
import { type Locale, locales } from '#db/values.ts';
import { connectionLost } from './errors.ts';

/** Under this name the choice is kept in local storage, and mirrored in a cookie so that the server knows it at once. */
const storageKey = 'language';
const cookieMaxAgeSeconds = 365 * 24 * 60 * 60;

/** A language is called what its speakers call it. */
const languageNames: Record<Locale, string> = { en: 'English', fr: 'Français' };

/** Switches the language of everything, at once and without losing what was typed. */
export function LanguageSwitcher({ locale }: { locale: Locale }) {
  const { i18n, t } = useLingui();
  const { reload } = useRouter();
  const [hasFailed, switchTo] = useActionState(async (_hadFailed: boolean, choice: Locale) => {
    // Asked first, because a reload that fails takes the page with it, and what was typed there.
    const answer = await fetch(window.location.pathname, { method: 'HEAD' }).catch(() => null);
    if (!answer?.ok) {
      return true;
    }
    rememberLanguage(choice);
    await reload();
    return false;
  }, false);

  const wasChecked = useRef(false);
  useEffect(() => {
    const stored = storedLanguage();
    // The cookie was lost or never reached this server: the stored choice comes first. Tried once, or a browser that
    // keeps no cookies would go round in circles.
    if (!wasChecked.current && stored !== null && stored !== locale) {
      startTransition(() => switchTo(stored));
    }
    wasChecked.current = true;
  }, [locale, switchTo]);

  return (
    <fieldset aria-label={t`Language`} className="flex flex-wrap gap-1 text-sm">
      {locales.map((choice) => (
        // Forms, because React hands on what was submitted before the page's scripts were ready.
        <form key={choice} action={() => switchTo(choice)}>
          <button
            type="submit"
            lang={choice}
            aria-pressed={choice === locale}
            className="min-h-10 rounded-control px-2 text-muted hover:text-ink aria-pressed:font-semibold aria-pressed:text-ink aria-pressed:underline"
          >
            {languageNames[choice]}
          </button>
        </form>
      ))}
      <span role="status" className="self-center text-danger">
        {hasFailed && i18n._(connectionLost)}
      </span>
    </fieldset>
  );
}

function rememberLanguage(choice: Locale): void {
  try {
    window.localStorage.setItem(storageKey, choice);
  } catch {
    // Storage is switched off or full: the cookie alone carries the choice.
  }
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari -- revisit when it is there.
  document.cookie = `${storageKey}=${choice}; Path=/; Max-Age=${cookieMaxAgeSeconds}; SameSite=Lax${secure}`;
}

function storedLanguage(): Locale | null {
  try {
    const stored = window.localStorage.getItem(storageKey);
    return locales.find((locale) => locale === stored) ?? null;
  } catch {
    return null;
  }
}
