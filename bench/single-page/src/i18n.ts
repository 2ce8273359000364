import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from './api.ts';

const catalogs = {
  en: () => import('./locales/en.json'),
  fr: () => import('./locales/fr.json'),
};

/** Starts in the stored language, or in the browser's, loading only its texts. */
export async function startI18n(): Promise<void> {
  const stored = localStorage.getItem('language') ?? navigator.language.slice(0, 2);
  const language: Language = stored === 'fr' ? 'fr' : 'en';
  const { default: texts } = await catalogs[language]();
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: { [language]: { translation: texts } },
    interpolation: { escapeValue: false },
  });
  document.documentElement.lang = language;
}

/** Loads the other language and switches to it. */
export async function switchLanguage(language: Language): Promise<void> {
  if (!i18next.hasResourceBundle(language, 'translation')) {
    const { default: texts } = await catalogs[language]();
    i18next.addResourceBundle(language, 'translation', texts);
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  localStorage.setItem('language', language);
}
