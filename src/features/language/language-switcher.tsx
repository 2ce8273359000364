'use client';

import { startTransition, useActionState, useEffect, useRef } from 'react';
import { callApi } from '#client/call-api.ts';
import { reportFailure } from '#client/failures.ts';
import { type Locale, locales } from '#db/values.ts';
import { writeCookie } from '#lib/write-cookie.ts';
import { apiPaths } from '#paths.ts';
import { useLoadPage } from '#router/use-load-page.ts';
import { showToast } from '#ui/toast.tsx';

/** Under this name the choice is kept in local storage, and mirrored in a cookie so that the server knows it at once. */
const storageKey = 'language';
const cookieMaxAgeSeconds = 365 * 24 * 60 * 60;

/** A language is called what its speakers call it. */
const languageNames: Record<Locale, string> = { en: 'English', fr: 'Français' };

type LanguageSwitcherProps = {
  locale: Locale;
  label: string;
  /** Said when the other language cannot be had. */
  failed: string;
  /** Whose language it is, besides that of the browser; null for somebody who is not signed in. */
  accountId: string | null;
};

/** Only what somebody has asked for is kept on their account. */
type Switch = { choice: Locale; isAsked: boolean };

/** Switches the language of everything, at once and without losing what was typed. */
export function LanguageSwitcher({ locale, label, failed, accountId }: LanguageSwitcherProps) {
  const loadPage = useLoadPage();
  const [, switchTo] = useActionState(async (_: null, { choice, isAsked }: Switch) => {
    rememberLanguage(choice);
    const result = await loadPage(window.location);
    if (!result.ok) {
      rememberLanguage(locale);
      showToast(failed);
    } else if (accountId !== null && isAsked) {
      await keepOnAccount(accountId, choice);
    }
    return null;
  }, null);

  const wasChecked = useRef(false);
  useEffect(() => {
    const stored = storedLanguage();
    // The cookie was lost or never reached this server: the stored choice comes first. Tried once, or a browser that
    // keeps no cookies would go round in circles.
    if (!wasChecked.current && stored !== null && stored !== locale) {
      startTransition(() => switchTo({ choice: stored, isAsked: false }));
    }
    wasChecked.current = true;
  }, [locale, switchTo]);

  return (
    <fieldset aria-label={label} className="segments">
      {locales.map((choice) => (
        // Forms, because React hands on what was submitted before the page's scripts were ready.
        <form key={choice} action={() => switchTo({ choice, isAsked: true })}>
          <button type="submit" lang={choice} aria-pressed={choice === locale}>
            {languageNames[choice]}
          </button>
        </form>
      ))}
    </fieldset>
  );
}

async function keepOnAccount(accountId: string, language: Locale): Promise<void> {
  const result = await callApi(apiPaths.account(accountId), {
    method: 'PATCH',
    input: { language },
  });
  if (!result.ok) {
    reportFailure(result, () => void keepOnAccount(accountId, language));
  }
}

function rememberLanguage(choice: Locale): void {
  try {
    window.localStorage.setItem(storageKey, choice);
  } catch {
    // Storage is switched off or full: the cookie alone carries the choice.
  }
  writeCookie(storageKey, choice, cookieMaxAgeSeconds);
}

function storedLanguage(): Locale | null {
  try {
    const stored = window.localStorage.getItem(storageKey);
    return locales.find((locale) => locale === stored) ?? null;
  } catch {
    return null;
  }
}
