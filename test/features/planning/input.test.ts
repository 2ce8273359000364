import { expect, test } from 'vitest';
import { createTeacher, invalid, spring } from './support.ts';

type Refusal = [field: string, message: string, ...values: unknown[]];

/** Cohorts are made without limits here. */
const unlimited = { bindings: { LIMITS: { cohorts_per_user: [] } } };

const dateInvalid = 'This date does not exist';
const zoneUnknown = 'We do not know this time zone';
const closesAfter = 'Enrollment cannot close after the last day';
const closesBefore = 'Enrollment cannot close before it opens';
const earlyEnds = 'The early price can’t end after the last day';
const noEarly = 'Please enter the early price, or leave its date blank';
const capacity = 'Please enter a number from 1 to 1,000, or leave it blank for no limit';
const minimum = 'Please enter a number from 1 to the number of places, or leave it blank';
const inOneLine = 'Please write the place in one line, without a link';
const https = 'Please enter a link that starts with https://';
const price = 'Enter an amount such as 850 or 850.00';
const clocksSkip = expect.stringMatching(
  /^At this moment the clocks go forward in Paris: 2:30\sAM does not exist on Sunday, March 29, 2026$/,
);
const highPrice = '12 digits at most, cents included';

/** Invisible characters inside an address. */
const unseen = [...'\u200b\u00ad\u2060\ufeff\u200e\u2800\u3164\ufe0f\u{e0041}'].map(
  (character) => `https://meet.example.com/${character}a`,
);

const refused: Refusal[] = [
  ['name', 'Cohort name is required', undefined, null, ' \n '],
  ['name', 'Cohort name must be at least 3 characters', 'ab', '  ab  '],
  ['name', 'Cohort name must be at most 120 characters', 'x'.repeat(121), 'x'.repeat(10_000)],
  ['name', 'Please use only printable characters in a cohort name', 'Two\nlines', 'a \u202e b'],
  ['description', 'Description must be at most 2,000 characters', 'x'.repeat(2_001)],
  ['description', 'Please use only printable characters', 'A\u0000', 7],
  ['starts_on', 'Please choose a date', undefined, ''],
  ['starts_on', dateInvalid, '2027-02-29', '04/01/2027', '1999-12-31', '2027-01-04T00:00'],
  ['ends_on', dateInvalid, '2101-01-01'],
  ['ends_on', 'The last day cannot be before the first day', '2027-01-03'],
  ['ends_on', 'A cohort lasts two years at most', '2029-01-04'],
  ['time_zone', 'Please choose a time zone', undefined, ''],
  ['time_zone', zoneUnknown, '+05:30', 'EST', 'Europe/Paris ', '__proto__', 'x'.repeat(9_000)],
  ['enrollment_opens_local', dateInvalid, '2027-01-01', '2027-01-01T24:00', '2027-01-01T09:00Z'],
  ['enrollment_opens_local', 'Please choose a date', 'T10:00'],
  ['enrollment_closes_local', dateInvalid, '2026-02-30', 'soon'],
  ['enrollment_closes_local', closesAfter, '2027-02-13', '2027-02-13T00:01'],
  ['join_mode', 'This value is unknown.', 'nobody'],
  ['capacity', capacity, 0, -1, 1_001, 1.5, '20', '', Number.MAX_SAFE_INTEGER],
  ['question', 'Question must be at most 200 characters', 'x'.repeat(201)],
  ['offer_hours', 'This value is unknown.', 36],
  ['minimum_people', minimum, 0, 1_001],
  ['place', 'Place must be at most 200 characters', 'x'.repeat(201)],
  [
    'place',
    inOneLine,
    'Room 4\nLyon',
    'https://meet.example.com',
    'See WWW.example.com',
    'zoom.us/j/1',
  ],
  ['join_url', https, 'http://meet.example.com', 'meet.example.com', 'javascript:alert(1)'],
  ['join_url', https, 'https://', 'https://a b.example', 'https://you@meet.example.com/'],
  ['join_url', https, 'https:meet.example.com', 'https:/meet.example.com', 'https:///example.com'],
  ['join_url', https, 'https:\\\\meet.example.com', 'https://meet.example.com\\@evil.test/'],
  ['join_url', https, 'https://meet.example.com/\u0085BEGIN:VALARM', 'https://example.com/\u001ca'],
  ['join_url', https, ...unseen, `https://meet.example.com/${'x'.repeat(500)}`],
  ['payment_url', https, 'https:pay.example'],
  ['terms_url', https, 'https:pay.example'],
  ['price_minor', price, -1],
  ['price_minor', highPrice, 1_000_000_000_000, 1e21],
  ['currency', 'We do not know this currency', 'EURO', 'XQX'],
  ['language', 'Please choose English or French', 'de'],
  ['slug', 'This field is unknown.', 'mine'],
];

test.each(refused)('%s is refused: %s', async (field, message, ...values) => {
  const { path, send } = await createTeacher();
  // A price needs both of its parts.
  const beside = { price_minor: { currency: 'EUR' }, currency: { price_minor: 1 } }[field];
  for (const value of values) {
    const answer = await send('POST', path, { ...spring, ...beside, [field]: value });
    expect(answer, String(value)).toMatchObject(invalid({ [field]: [message] }));
  }
  expect((await send('GET', path)).body).toEqual([]);
});

test('values that contradict each other, and times that clocks skip, are refused', async () => {
  const { path, send } = await createTeacher();
  const opens = { enrollment_opens_local: '2026-12-02T09:00' };
  const early = {
    ...{ price_minor: 100, currency: 'EUR' },
    ...{ early_price_minor: 50, early_until_local: '2026-12-18' },
  };
  const april = { starts_on: '2026-04-06', ends_on: '2026-05-08' };
  const skipped = '2026-03-29T02:30';
  for (const [field, message, values] of [
    [
      'enrollment_closes_local',
      closesBefore,
      { ...opens, enrollment_closes_local: '2026-12-02T09:00' },
    ],
    // Without a closing, enrollment closes when the cohort begins.
    ['enrollment_closes_local', closesBefore, { enrollment_opens_local: '2027-01-04T00:00' }],
    ['minimum_people', minimum, { capacity: 5, minimum_people: 6 }],
    ['currency', 'Please choose a currency', { price_minor: 100 }],
    ['price_minor', price, { currency: 'EUR' }],
    ['early_price_minor', 'The early price must be below the price', { ...early, price_minor: 50 }],
    ['early_until_local', 'Please choose a date', { ...early, early_until_local: null }],
    ['early_price_minor', noEarly, { ...early, early_price_minor: null }],
    ['early_until_local', earlyEnds, { ...early, early_until_local: '2027-02-13' }],
    ['enrollment_opens_local', clocksSkip, { ...april, enrollment_opens_local: skipped }],
    ['enrollment_closes_local', clocksSkip, { ...april, enrollment_closes_local: skipped }],
  ] as const) {
    const answer = await send('POST', path, { ...spring, ...values });
    expect(answer).toMatchObject(invalid({ [field]: [message] }));
  }
});

/** Four bytes a character, as much as one can have. */
const text = (length: number) => '𠮷'.repeat(length);
const url = `https://example.com/${'語'.repeat(480)}`;
const longest = {
  ...{ name: text(119), description: text(2_000), payment_note: text(1_000) },
  ...{ welcome_note: text(2_000), question: text(200), place: text(200) },
  ...{ join_url: url, payment_url: url, terms_url: url },
};

test('at its limits a cohort is accepted, in any script, also with all its texts as long as they may be', async () => {
  expect(new Blob([JSON.stringify(longest)]).size).toBeGreaterThan(26_000);
  const { path, send } = await createTeacher();
  for (const values of [
    { name: 'abc' },
    { name: '👩🏽‍🏫'.repeat(17) },
    { description: 'One\r\n\r\ntwo\ttabbed' },
    { starts_on: '2027-01-01', ends_on: '2028-12-31' },
    { starts_on: '2100-12-31', ends_on: '2100-12-31' },
    { time_zone: 'UTC' },
    { time_zone: 'Asia/Calcutta' },
    { enrollment_closes_local: '2027-02-13T00:00' },
    { enrollment_opens_local: '2027-01-03T23:59' },
    { capacity: 1_000, minimum_people: 1_000 },
    { price_minor: 0, currency: 'JPY' },
    { price_minor: 99_999_999, currency: 'KWD' },
    { place: '12 St. John’s Rd., 3/4, near example.com' },
    { join_url: `https://meet.example.com/${'x'.repeat(475)}` },
    { join_url: 'HTTPS://Müller.example:8443/réunion?a=b&c=%20#d' },
    longest,
  ]) {
    expect((await send('POST', path, { ...spring, ...values }, unlimited)).status).toBe(201);
  }
});
