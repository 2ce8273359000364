import { expect, test } from 'vitest';
import { createTeacher, refusal, spring } from './support.ts';

type Case = [field: string, value: unknown, english: string, french: string];

const required = ['Cohort name is required', 'Le nom de la cohorte est obligatoire'] as const;
const tooShort = [
  'Cohort name must be at least 3 characters',
  'Le nom de la cohorte doit comporter au moins 3 caractères',
] as const;
const tooLong = [
  'Cohort name must be at most 120 characters',
  'Le nom de la cohorte doit comporter au plus 120 caractères',
] as const;
const unprintableName = [
  'Please use only printable characters in a cohort name',
  'N’utilisez que des caractères imprimables dans le nom d’une cohorte',
] as const;
const longDescription = [
  'Description must be at most 2,000 characters',
  'La description doit comporter au plus 2 000 caractères',
] as const;
const unprintable = [
  'Please use only printable characters',
  'N’utilisez que des caractères imprimables',
] as const;
const dateRequired = ['Please choose a date', 'Veuillez choisir une date'] as const;
const dateInvalid = ['This date does not exist', 'Cette date n’existe pas'] as const;
const zoneRequired = ['Please choose a time zone', 'Veuillez choisir un fuseau horaire'] as const;
const zoneUnknown = [
  'We do not know this time zone',
  'Nous ne connaissons pas ce fuseau horaire',
] as const;
const endsBefore = [
  'The last day cannot be before the first day',
  'Le dernier jour ne peut pas précéder le premier',
] as const;
const twoYears = [
  'A cohort lasts two years at most',
  'Une cohorte ne peut pas durer plus de deux ans',
] as const;
const closesBefore = [
  'Enrollment cannot close before it opens',
  'La clôture des inscriptions ne peut pas précéder leur ouverture',
] as const;
const closesAfter = [
  'Enrollment cannot close after the last day',
  'Les inscriptions doivent se clore au plus tard le dernier jour',
] as const;
const capacity = [
  'Please enter a number from 1 to 1,000, or leave it empty for no limit',
  'Saisissez un nombre de 1 à 1 000, ou laissez le champ vide pour ne pas limiter les places',
] as const;
const minimum = [
  'Please enter a number from 1 to the number of places, or leave it empty',
  'Saisissez un nombre compris entre 1 et le nombre de places, ou laissez le champ vide',
] as const;
const https = [
  'Please enter an address that starts with https://',
  'Veuillez saisir une adresse qui commence par https://',
] as const;
const longQuestion = [
  'Question must be at most 200 characters',
  'La question doit comporter au plus 200 caractères',
] as const;
const longPlace = [
  'Place must be at most 200 characters',
  'Le lieu doit comporter au plus 200 caractères',
] as const;
const plainPlace = [
  'Please write the place in one line, without a link',
  'Indiquez le lieu sur une seule ligne, sans lien',
] as const;
const price = ['Please enter a price, 0 or more', 'Saisissez un prix, 0 ou plus'] as const;
const highPrice = [
  '8 digits at most, cents included',
  '8 chiffres au plus, centimes compris',
] as const;
const currency = ['We do not know this currency', 'Nous ne connaissons pas cette devise'] as const;
const unknownValue = ['This value is unknown.', 'Cette valeur est inconnue.'] as const;

const refused: Case[] = [
  ['name', undefined, ...required],
  ['name', null, ...required],
  ['name', ' \n ', ...required],
  ['name', 'ab', ...tooShort],
  ['name', '  ab  ', ...tooShort],
  ['name', 'x'.repeat(121), ...tooLong],
  ['name', 'x'.repeat(10_000), ...tooLong],
  ['name', 'Writing\nin spring', ...unprintableName],
  ['name', 'Writing \u202e in spring', ...unprintableName],
  ['description', 'x'.repeat(2_001), ...longDescription],
  ['description', 'A\u0000', ...unprintable],
  ['description', 7, ...unprintable],
  ['starts_on', undefined, ...dateRequired],
  ['starts_on', '', ...dateRequired],
  ['starts_on', '2027-02-29', ...dateInvalid],
  ['starts_on', '2027-13-01', ...dateInvalid],
  ['starts_on', '04/01/2027', ...dateInvalid],
  ['starts_on', '1999-12-31', ...dateInvalid],
  ['starts_on', '2027-01-04T00:00', ...dateInvalid],
  ['starts_on', "2027-01-04'; DROP TABLE cohorts", ...dateInvalid],
  ['ends_on', undefined, ...dateRequired],
  ['ends_on', '2101-01-01', ...dateInvalid],
  ['ends_on', '2027-01-03', ...endsBefore],
  ['ends_on', '2029-01-04', ...twoYears],
  ['time_zone', undefined, ...zoneRequired],
  ['time_zone', '', ...zoneRequired],
  ...[
    '+05:30',
    'EST',
    'Mars/Base',
    'GMT',
    'Europe/Paris ',
    'Europe',
    'Etc/GMT+5',
    'SystemV/AST4',
    '__proto__',
    'x'.repeat(9_000),
  ].map((zone): Case => ['time_zone', zone, ...zoneUnknown]),
  ['enrollment_opens_local', '2027-01-01', ...dateInvalid],
  ['enrollment_opens_local', '2027-01-01T24:00', ...dateInvalid],
  ['enrollment_opens_local', '2027-01-01T09:00+01:00', ...dateInvalid],
  ['enrollment_closes_local', '2026-02-30', ...dateInvalid],
  ['enrollment_closes_local', 'soon', ...dateInvalid],
  ['enrollment_closes_local', '2027-02-13', ...closesAfter],
  ['enrollment_closes_local', '2027-02-13T00:01', ...closesAfter],
  ['join_mode', 'nobody', ...unknownValue],
  ...[0, -1, 1_001, 1.5, '20', '', Number.MAX_SAFE_INTEGER].map(
    (count): Case => ['capacity', count, ...capacity],
  ),
  ['question', 'x'.repeat(201), ...longQuestion],
  ['question', 'Two\nlines', ...unprintable],
  ['offer_hours', 36, ...unknownValue],
  ['minimum_people', 0, ...minimum],
  ['minimum_people', 1_001, ...minimum],
  ['place', 'x'.repeat(201), ...longPlace],
  ...['Room 4\nLyon', 'https://meet.example.com', 'See WWW.example.com', 'zoom.us/j/123'].map(
    (place): Case => ['place', place, ...plainPlace],
  ),
  ...[
    'http://meet.example.com',
    'meet.example.com',
    'javascript:alert(1)',
    'https://',
    'https://a b.example',
    'https://you@meet.example.com/',
    'https://:zoom.us@evil.test/',
    'https://@evil.test/',
    'https://meet.example.com/\u0085BEGIN:VALARM',
    'https://meet.example.com/\u001cATTENDEE:a',
    'https://meet.example.com/\u202eabc',
    'https:meet.example.com',
    'https:/meet.example.com',
    'https:///meet.example.com',
    'https:\\\\meet.example.com',
    'https://meet.example.com\\@evil.test/',
    ...[
      '\u200b',
      '\u00ad',
      '\u2060',
      '\ufeff',
      '\u200e',
      '\u2800',
      '\u3164',
      '\ufe0f',
      '\u{e0041}',
    ].map((unseen) => `https://meet.example.com/${unseen}a`),
    'https://meet.exa\u00admple.com/',
    `https://meet.example.com/${'x'.repeat(500)}`,
  ].map((url): Case => ['join_url', url, ...https]),
  ...['payment_url', 'terms_url'].map((field): Case => [field, 'https:pay.example', ...https]),
  ['price_minor', -1, ...price],
  ['price_minor', 100_000_000, ...highPrice],
  ['price_minor', 1e21, ...highPrice],
  ['currency', 'EURO', ...currency],
  ['currency', 'XQX', ...currency],
  ['language', 'de', 'Please choose English or French', 'Choisissez l’anglais ou le français'],
  ['slug', 'mine', 'This field is unknown.', 'Ce champ est inconnu.'],
  ['owner_id', 'mine', 'This field is unknown.', 'Ce champ est inconnu.'],
];

test.each(refused)('%s is refused in both languages: %#', async (field, value, english, french) => {
  const { client, path } = await createTeacher();
  // A price needs both of its parts.
  const beside = { price_minor: { currency: 'EUR' }, currency: { price_minor: 1 } }[field];
  const input = { ...spring, ...beside, [field]: value };

  expect(await refusal(await client.post(path, input))).toMatchObject({
    status: 400,
    code: 'validation_failed',
    fields: { [field]: [english] },
  });
  const headers = { 'Accept-Language': 'fr' };
  const inFrench = await refusal(await client.post(path, input, { headers }));
  expect(plain(inFrench.fields[field])).toEqual([french]);
  expect(await (await client.get(path)).json()).toEqual([]);
});

test.each([
  [
    'enrollment_closes_local',
    closesBefore,
    { enrollment_opens_local: '2026-12-02T09:00', enrollment_closes_local: '2026-12-02T09:00' },
  ],
  // Without a closing, enrollment closes when the cohort begins.
  ['enrollment_closes_local', closesBefore, { enrollment_opens_local: '2027-01-04T00:00' }],
  ['minimum_people', minimum, { capacity: 5, minimum_people: 6 }],
  ['currency', ['Please choose a currency'], { price_minor: 100 }],
  ['price_minor', price, { currency: 'EUR' }],
])('%s: what does not go together is refused: %#', async (field, [english], values) => {
  const { client, path } = await createTeacher();

  expect(await refusal(await client.post(path, { ...spring, ...values }))).toMatchObject({
    status: 400,
    fields: { [field]: [english] },
  });
});

test.each([
  { name: 'abc' },
  { name: '👩🏽‍🏫'.repeat(17) },
  { description: 'é'.repeat(2_000) },
  { description: 'One\r\n\r\ntwo\ttabbed' },
  { starts_on: '2028-02-29', ends_on: '2028-02-29' },
  { starts_on: '2027-01-01', ends_on: '2028-12-31' },
  { starts_on: '2000-01-01', ends_on: '2000-01-02' },
  { starts_on: '2100-12-31', ends_on: '2100-12-31' },
  ...['Asia/Kolkata', 'Europe/Kyiv', 'UTC', 'Asia/Calcutta', 'America/Argentina/Buenos_Aires'].map(
    (time_zone) => ({ time_zone }),
  ),
  { enrollment_closes_local: '2027-02-12' },
  { enrollment_closes_local: '2027-02-13T00:00' },
  { enrollment_opens_local: '2027-01-03T23:59' },
  { capacity: 1_000, minimum_people: 1_000 },
  { capacity: 1 },
  { minimum_people: 1_000 },
  { price_minor: 0, currency: 'JPY' },
  { price_minor: 99_999_999, currency: 'KWD' },
  { place: 'x'.repeat(200) },
  { place: '12 St. John’s Rd., 3/4, near example.com' },
  { join_url: `https://meet.example.com/${'x'.repeat(475)}` },
  { join_url: 'HTTPS://Müller.example:8443/réunion?a=b&c=%20#d' },
])('at its limits a cohort is accepted: %#', async (values) => {
  const { client, path } = await createTeacher();

  expect((await client.post(path, { ...spring, ...values })).status).toBe(201);
});

test('a cohort whose texts are all as long as they may be is accepted in any script', async () => {
  const { client, path } = await createTeacher();
  // Four bytes, as much as a character can have.
  const text = (length: number) => '𠮷'.repeat(length);
  const url = `https://example.com/${'語'.repeat(480)}`;
  const longest = {
    ...spring,
    name: text(119),
    description: text(2_000),
    payment_note: text(1_000),
    welcome_note: text(2_000),
    question: text(200),
    place: text(200),
    ...{ join_url: url, payment_url: url, terms_url: url },
  };
  expect(new Blob([JSON.stringify(longest)]).size).toBeGreaterThan(26_000);

  expect((await client.post(path, longest)).status).toBe(201);
});

test('a time that clocks skip is refused with the sentence that says so', async () => {
  const { client, path } = await createTeacher();
  const input = {
    ...spring,
    starts_on: '2026-04-06',
    ends_on: '2026-05-08',
    enrollment_opens_local: '2026-03-29T02:30',
  };

  expect(await refusal(await client.post(path, input))).toMatchObject({
    status: 400,
    fields: {
      enrollment_opens_local: [
        expect.stringMatching(
          /^At this moment the clocks go forward in Paris: 2:30\sAM does not exist on Sunday, March 29, 2026$/,
        ),
      ],
    },
  });
  const french = await client.post(path, input, { headers: { 'Accept-Language': 'fr' } });
  expect(plain((await refusal(french)).fields['enrollment_opens_local'])).toEqual([
    expect.stringMatching(
      /^Le dimanche 29 mars 2026, 0?2:30 n’existe pas \(Paris\) : c’est le changement d’heure$/,
    ),
  ]);
  const closing = {
    ...input,
    enrollment_opens_local: null,
    enrollment_closes_local: '2026-03-29T02:30',
  };
  expect((await refusal(await client.post(path, closing))).fields).toHaveProperty(
    'enrollment_closes_local',
  );
  const skipsNothing = { ...input, time_zone: 'UTC' };
  expect((await client.post(path, skipsNothing)).status).toBe(201);
});

test('a day that a zone skips does not exist there', async () => {
  const { client, path } = await createTeacher();
  const input = { ...spring, time_zone: 'Pacific/Apia' };
  for (const [field, values] of [
    ['starts_on', { starts_on: '2011-12-30', ends_on: '2012-01-30' }],
    ['ends_on', { starts_on: '2011-12-01', ends_on: '2011-12-30' }],
  ] as const) {
    const response = await client.post(path, { ...input, ...values });
    expect((await refusal(response)).fields).toEqual({ [field]: [dateInvalid[0]] });
  }
  const elsewhere = { ...spring, starts_on: '2011-12-30', ends_on: '2011-12-30' };
  const { id } = await (await client.post(path, elsewhere)).json<{ id: string }>();
  const move = await client.post(`/api/cohorts/${id}/move/`, {
    starts_on: '2011-12-30',
    ends_on: '2011-12-30',
    time_zone: 'Pacific/Apia',
    expected: {
      starts_on: '2011-12-30',
      ends_on: '2011-12-30',
      time_zone: 'Europe/Paris',
      enrollment_opens_local: null,
      enrollment_closes_local: null,
    },
  });
  expect((await refusal(move)).fields).toHaveProperty('starts_on', [dateInvalid[0]]);
});

test('enrollment opens with the first instant of a day that has no midnight', async () => {
  const { client, path } = await createTeacher();
  const response = await client.post(path, {
    ...spring,
    starts_on: '2027-05-03',
    ends_on: '2027-06-04',
    time_zone: 'Africa/Cairo',
    enrollment_opens_local: '2027-04-30T00:00',
  });

  expect(response.status).toBe(201);
  // It begins at 01:00 there, three hours before UTC.
  expect(await response.json()).toMatchObject({
    enrollment_opens_local: '2027-04-30T00:00',
    enrollment_opens_at: '2027-04-29T22:00:00.000Z',
  });
});

test.each(['enrollment_opens_local', 'enrollment_closes_local'])(
  '%s: a time without a day asks for the day',
  async (field) => {
    const { client, path } = await createTeacher();

    expect(await refusal(await client.post(path, { ...spring, [field]: 'T10:00' }))).toMatchObject({
      status: 400,
      fields: { [field]: ['Please choose a date'] },
    });
  },
);

test('a time that comes twice means the first', async () => {
  const { client, path } = await createTeacher();
  const response = await client.post(path, {
    ...spring,
    starts_on: '2025-11-03',
    ends_on: '2025-11-28',
    enrollment_opens_local: '2025-10-26T02:30',
  });

  expect(await response.json()).toMatchObject({ enrollment_opens_at: '2025-10-26T00:30:00.000Z' });
});

/** With plain spaces in place of the special ones that French uses. */
function plain(texts: string[] = []): string[] {
  return texts.map((text) => text.replace(/\s/g, ' '));
}
