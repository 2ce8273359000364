import { describe, expect, it } from 'vitest';
import { cityOf, isSameZone, isZone, zoneGroups } from '#lib/time/zones.ts';
import { words } from '#support/words.ts';

describe('time zones', () => {
  it.each(
    words(`UTC Etc/UTC Europe/Paris Asia/Kolkata Asia/Calcutta Europe/Kyiv Europe/Kiev
      Asia/Kathmandu America/Argentina/Buenos_Aires America/Port-au-Prince`),
  )('%s is one', (name) => expect(isZone(name)).toBe(true));

  it.each([
    ...words('EST CST6CDT GMT Z +05:30 -0800 Mars/Base Etc/GMT+5 etc/gmt-14 SystemV/AST4'),
    ...['', 'Europe/Paris\n', ' Europe/Paris', 'Europe/Paris; DROP TABLE', 'Europe/Atlantis'],
    `${'A/'.repeat(5_000)}B`,
  ])('%j is none', (name) => expect(isZone(name)).toBe(false));

  it('old and new names are the same zone', () => {
    expect(isSameZone('Asia/Kolkata', 'Asia/Calcutta')).toBe(true);
    expect(isSameZone('Europe/Kyiv', 'Europe/Kiev')).toBe(true);
    expect(isSameZone('Europe/Paris', 'Europe/Berlin')).toBe(false);
  });

  it('cities have the names of people, in both languages', () => {
    expect(cityOf('America/Sao_Paulo', 'en')).toBe('São Paulo');
    expect(cityOf('Europe/London', 'fr')).toBe('Londres');
    expect(cityOf('Europe/Kiev', 'en')).toBe('Kyiv');
    expect(cityOf('asia/kolkata', 'fr')).toBe('Calcutta');
    expect(cityOf('Mars/New_Base', 'en')).toBe('New Base');
  });
});

describe('the list of zones', () => {
  const all = zoneGroups('en').flatMap(({ zones }) => zones);

  it('has every zone once, with the names of today, and UTC', () => {
    const names = all.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(400);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['UTC', 'Asia/Kolkata', 'Europe/Kyiv']));
    expect(names).not.toContain('Asia/Calcutta');
  });

  it('offers only zones that are accepted, each with a city', () => {
    for (const { name, city } of all) {
      expect(isZone(name), name).toBe(true);
      expect(city, name).toMatch(/^\p{L}/u);
    }
  });

  it.each(['en', 'fr'] as const)('has each city once in %s, in alphabetical order', (locale) => {
    const all = zoneGroups(locale).flatMap(({ zones }) => zones.map(({ city }) => city));
    expect(new Set(all).size).toBe(all.length);
    const europe = zoneGroups(locale).find(({ region }) => region === 'Europe');
    const cities = europe?.zones.map(({ city }) => city) ?? [];
    expect(cities.length).toBeGreaterThan(40);
    expect(cities).toEqual([...cities].sort(new Intl.Collator(locale).compare));
  });
});
