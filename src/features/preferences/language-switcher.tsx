'use client';

import { startTransition, useActionState, useEffect, useRef, useState } from 'react';
import { callApi } from '#client/call-api.ts';
import { reportFailure } from '#client/failures.ts';
import { type Locale, languageNames, locales } from '#db/values.ts';
import { withStorage, writeCookie } from '#lib/browser-storage.ts';
import { apiPaths } from '#paths.ts';
import { useLoadPage } from '#router/use-load-page.ts';
import { showToast } from '#ui/toast.tsx';

/** The key of the choice in local storage, and of the cookie that tells the server. */
const storageKey = 'language';
const cookieMaxAgeSeconds = 365 * 24 * 60 * 60;

type LanguageSwitcherProps = {
  locale: Locale;
  /** The language to show as chosen: the page's or the account's. */
  chosen: Locale;
  label: string;
  failed: string;
  /** The account that the language is saved to as well; null for a signed-out user. */
  accountId: string | null;
  /** The query that the page is loaded with again; null for the one of the address bar. */
  search: string | null;
  className: string;
};

/** Saved to the account only if the user chose it. */
type Switch = { choice: Locale; isByUser: boolean };

/** Switches the language of the whole page without losing what was typed. */
export function LanguageSwitcher(props: LanguageSwitcherProps) {
  const { locale, chosen, label, failed, accountId, search, className } = props;
  const loadPage = useLoadPage();
  // The page is loaded before the account is changed.
  const [pressed, setPressed] = useState(chosen);
  useEffect(() => setPressed(chosen), [chosen]);
  const [, switchTo] = useActionState(async (_: null, { choice, isByUser }: Switch) => {
    rememberLanguage(choice);
    const { href } = window.location;
    const result = await loadPage(new URL(search ?? '', href));
    if (!result.ok) {
      rememberLanguage(locale);
      showToast(failed, 'failed');
    } else if (accountId !== null && isByUser) {
      await saveToAccount(accountId, choice, setPressed);
    }
    return null;
  }, null);

  const wasChecked = useRef(false);
  useEffect(() => {
    const text = withStorage('localStorage', (storage) => storage.getItem(storageKey));
    const stored = locales.find((choice) => choice === text);
    // The cookie was lost or never reached this server: the stored choice wins. Only once, because
    // a browser without cookies would reload forever.
    if (!wasChecked.current && stored !== undefined && stored !== locale) {
      startTransition(() => switchTo({ choice: stored, isByUser: false }));
    }
    wasChecked.current = true;
  }, [locale, switchTo]);

  return (
    <fieldset aria-label={label} className={className}>
      {locales.map((choice) => (
        // Forms, because React replays submissions from before the page was hydrated.
        <form key={choice} action={() => switchTo({ choice, isByUser: true })}>
          <button type="submit" lang={choice} aria-pressed={choice === pressed}>
            {languageNames[choice]}
          </button>
        </form>
      ))}
    </fieldset>
  );
}

async function saveToAccount(
  accountId: string,
  language: Locale,
  onSaved: (language: Locale) => void,
): Promise<void> {
  const result = await callApi(apiPaths.account(accountId), {
    method: 'PATCH',
    input: { language },
  });
  if (result.ok) {
    onSaved(language);
  } else {
    reportFailure(result, () => void saveToAccount(accountId, language, onSaved));
  }
}

function rememberLanguage(choice: Locale): void {
  // Without storage, the cookie alone keeps the choice.
  withStorage('localStorage', (storage) => storage.setItem(storageKey, choice));
  writeCookie(storageKey, choice, cookieMaxAgeSeconds);
}
