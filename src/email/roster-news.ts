import 'server-only';
import type { I18n } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import type { CohortKind, Locale } from '#db/values.ts';
import { i18nFor } from '#i18n/server.ts';
import { priceOf } from '#lib/price.ts';
import { buttonOf, messageOf, wordsIn } from './layout.ts';
import type { Message } from './send.ts';

type CohortNews = {
  id: string;
  /** Missing in rows from before courses had open runs. */
  kind?: CohortKind;
  name: string;
  joined: number;
  left: number;
  waiting: number;
  /** How many ask for a place; missing in rows from before there were such. */
  asking?: number;
  /** How many people have paid online, and how much; missing or null if none has. */
  paid?: Paid | null;
  /** The same of what went back to them. */
  refunded?: Paid | null;
};
type Paid = { people: number; minor: number; currency: string };

/** What the daily news of an owner says, as the outbox keeps it. */
export type NewsPayload = { name: string; language: Locale; cohorts: CohortNews[] };

/** Where the news leads: to all cohorts, to one of them, and to unsubscribing. */
type NewsLinks = { cohorts: string; cohort: (id: string) => string; out: string };

/** The rest is on the page of the cohorts. */
const shownCohorts = 20;

/** The news of an owner: how many people came, went, wait, ask or paid, by cohort; no names. */
export async function rosterNews(
  to: string,
  { name, language, cohorts }: NewsPayload,
  links: NewsLinks,
): Promise<Message> {
  const i18n = i18nFor(language);
  const what = wordsOf(cohorts, i18n);
  const more = cohorts.length - shownCohorts;
  const words = cohorts.some(({ kind }) => kind === 'open')
    ? {
        subject: msg`News about your courses: ${what}`,
        kind: msg`Your courses`,
        paragraph: msg`Here’s what has happened in your courses since the last email.`,
        action: msg`See what’s new`,
        more: msg`${plural(more, { one: 'And # more course.', other: 'And # more courses.' })}`,
        why: msg`You’re receiving this email because people take part in your courses. You can switch it off in the settings.`,
      }
    : {
        subject: msg`News about your cohorts: ${what}`,
        kind: msg`Your cohorts`,
        paragraph: msg`Here’s what has happened in your cohorts since the last email.`,
        action: msg`See my cohorts`,
        more: msg`${plural(more, { one: 'And # more cohort.', other: 'And # more cohorts.' })}`,
        why: msg`You’re receiving this email because people take part in your cohorts. You can switch it off in the settings.`,
      };
  return messageOf(to, {
    language,
    ...wordsIn(i18n, {
      ...words,
      preheader: msg`Once a day, and only if there is something to say.`,
      title: msg`What’s new`,
      paragraphs: [words.paragraph],
      notes: more > 0 ? [words.more] : [],
    }),
    kind: i18n._(words.kind),
    greeting: i18n._(msg`Hello ${name},`),
    button: buttonOf({ label: words.action, link: links.cohorts }, i18n),
    facts: [],
    entries: cohorts.slice(0, shownCohorts).map((cohort) => ({
      title: cohort.name,
      lines: [wordsOf([cohort], i18n, cohort)],
      link: links.cohort(cohort.id),
    })),
    wayOut: { label: i18n._(msg`No more daily news`), link: links.out },
  });
}

/** `2 joined, 1 left, 3 are waiting, 2 paid online (€480)`, without zeros; sums of one cohort. */
function wordsOf(cohorts: CohortNews[], i18n: I18n, sums?: CohortNews): string {
  const sum = (count: (cohort: CohortNews) => number) =>
    cohorts.reduce((all, cohort) => all + count(cohort), 0);
  const joined = sum((cohort) => cohort.joined);
  const left = sum((cohort) => cohort.left);
  const waiting = sum((cohort) => cohort.waiting);
  const asking = sum((cohort) => cohort.asking ?? 0);
  const paying = sum(({ paid }) => paid?.people ?? 0);
  const refunded = sum((cohort) => cohort.refunded?.people ?? 0);
  const counted: [number, string, (Paid | null | undefined)?][] = [
    [joined, i18n._(msg`${plural(joined, { one: '# person joined', other: '# people joined' })}`)],
    [left, i18n._(msg`${plural(left, { one: '# person left', other: '# people left' })}`)],
    [
      waiting,
      i18n._(
        msg`${plural(waiting, { one: '# person is waiting', other: '# people are waiting' })}`,
      ),
    ],
    [
      asking,
      i18n._(
        msg`${plural(asking, { one: '# person is asking for a place', other: '# people are asking for a place' })}`,
      ),
    ],
    [
      paying,
      i18n._(
        msg`${plural(paying, { one: '# person paid online', other: '# people paid online' })}`,
      ),
      sums?.paid,
    ],
    [
      refunded,
      i18n._(
        msg`${plural(refunded, { one: '# person was refunded', other: '# people were refunded' })}`,
      ),
      sums?.refunded,
    ],
  ];
  const words = counted
    .filter(([count]) => count > 0)
    .map(([, text, sum]) =>
      sum ? `${text} (${priceOf(sum.minor, sum.currency, i18n.locale)})` : text,
    );
  const list = new Intl.ListFormat(i18n.locale, { type: 'unit', style: 'short' });
  return list.format(words);
}
