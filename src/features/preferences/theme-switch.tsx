'use client';

import { useState } from 'react';
import {
  type Theme,
  themeCookie,
  themeCookieMaxAgeSeconds,
  writeCookie,
} from '#lib/browser-storage.ts';

type ThemeSwitchProps = {
  /** Null while the colors follow the system. */
  theme: Theme | null;
  label: string;
  options: { theme: Theme | null; label: string }[];
};

/** Light, dark or system: applied immediately and to every later page. */
export function ThemeSwitch({ theme, label, options }: ThemeSwitchProps) {
  const [chosen, setChosen] = useState(theme);
  function choose(choice: Theme | null): void {
    setChosen(choice);
    const { dataset } = document.documentElement;
    if (choice === null) {
      delete dataset['theme'];
      writeCookie(themeCookie, '', 0);
    } else {
      dataset['theme'] = choice;
      writeCookie(themeCookie, choice, themeCookieMaxAgeSeconds);
    }
  }
  return (
    <fieldset aria-label={label} className="segments">
      {options.map((option) => (
        <button
          key={option.label}
          type="button"
          aria-pressed={option.theme === chosen}
          onClick={() => choose(option.theme)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
