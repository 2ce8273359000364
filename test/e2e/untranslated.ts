import { listCountries } from '#features/payment-accounts/countries.ts';
import { zoneGroups } from '#lib/time/zones.ts';
import { userData } from './people.ts';

/** Cities have names of their own; see lib/time/city-names.ts. */
const cities = zoneGroups('fr').flatMap(({ zones }) => zones.map(({ city }) => city));

const countries = listCountries('fr').map(({ name }) => name);

/** Currencies, as the platform calls them. */
const currencies = Intl.supportedValuesOf('currency').flatMap((code) => [
  code,
  new Intl.DisplayNames('fr', { type: 'currency' }).of(code) ?? code,
]);

/** Words that are the same in every language. */
const names = [
  ...['English', 'Français', 'Lectern', 'Google', 'YouTube', 'Vimeo', 'Chrome', 'Linux'],
  ...['Ctrl', 'Cmd', 'Esc', 'Alt', 'Tab', 'Shift'],
  // A cohort.
  'Winter',
  // A zone without a city, which may be the browser's.
  'UTC',
  // The contact address, which may wrap before its @.
  'hello',
];

/**
 * What needs no translation: names, and what the platform says, such as when to try again, « dans
 * 60 minutes ». A web address may be without https, and an email's part before the @ on its own; the last
 * four characters of an account stand for it.
 * Longer names are removed first, because a name may be part of another; a page of time zones has
 * hundreds of texts, so it is one expression.
 */
const known = new RegExp(
  [
    ...[...names, ...userData, ...cities, ...countries, ...currencies, ...calendarWords()]
      .sort((a, b) => b.length - a.length)
      .map((name) => RegExp.escape(name)),
    String.raw`\S*@\S*|…\w{4}\b|\ba[\da-f]*(?:\.\d+)+|https?:\S+|localhost\S+|(?:dans|il y a) \d+\s\p{L}+|\d+\s(?:jours?|heures?|minutes?|min\b|[kM]o\b)|\.(?:pdf|mp\d|png|vtt)\b|\$CA|1er|^(?:lu|ma|me|je|ve|sa|di)$`,
  ].join('|'),
  'gu',
);

/** Whether a text of a page or an email in the pseudo-language holds words of another language. */
export function isUntranslated(text: string): boolean {
  return /[A-Za-z]{2}/.test(text.replace(known, ''));
}

/** The months and days of the platform, which formats dates. */
function calendarWords(): string[] {
  const days = Array.from({ length: 73 }, (_, at) => new Date(Date.UTC(2027, 0, 1 + 5 * at)));
  return days.flatMap((day) =>
    (['long', 'short'] as const).flatMap((length) =>
      [{ month: length }, { weekday: length }].flatMap((part) => {
        const word = day.toLocaleDateString('fr', { ...part, timeZone: 'UTC' });
        return [word, word.charAt(0).toUpperCase() + word.slice(1)];
      }),
    ),
  );
}
