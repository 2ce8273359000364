import 'server-only';
import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Locale } from '#db/values.ts';
import { i18nFor } from '#i18n/server.ts';
import { documentOf, type Letter } from './document.ts';
import type { Message } from './send.ts';

export type Addressee = { email: string; firstName: string; language: Locale };

/** The request that caused an email. */
export type RequestOrigin = {
  at: Date;
  /** Its common name; null if we do not know it. */
  browser: string | null;
};

type Action = {
  label: MessageDescriptor;
  link: string;
  /** Six digits that can be typed instead of opening the link. */
  code?: string | null;
  /** How long the link is valid, and that it works once. */
  validity: MessageDescriptor;
  /** When and in which browser the link was requested; absent if it was sent unprompted. */
  origin?: RequestOrigin;
};

/** The texts of an email, which is written in the recipient's language. */
type Mail = {
  subject: MessageDescriptor;
  /** Follows the subject in the inbox, and adds something to it. */
  preheader: MessageDescriptor;
  title: MessageDescriptor;
  /** By default, with the recipient's first name. */
  greeting?: MessageDescriptor;
  paragraph: MessageDescriptor;
  /** The email's link; a notice has none. */
  action?: Action;
  notMine: MessageDescriptor;
  /** Its button is for readers who did not ask, so `notMine` comes before it. */
  isAlert?: boolean;
  /** Why the recipient gets this email. */
  why: MessageDescriptor;
};

/** The texts of an email before they are in the language of its reader. */
export type Words = Pick<Mail, 'subject' | 'preheader' | 'title' | 'why'> & {
  paragraphs: MessageDescriptor[];
  notes?: MessageDescriptor[];
};

/** The same in that language. */
export function wordsIn(i18n: I18n, words: Words) {
  return {
    subject: i18n._(words.subject),
    preheader: i18n._(words.preheader),
    title: i18n._(words.title),
    paragraphs: words.paragraphs.map((text) => i18n._(text)),
    notes: (words.notes ?? []).map((text) => i18n._(text)),
    why: i18n._(words.why),
  };
}

/** An email with at most one link, as HTML and as plain text with the same content. */
export function composeMail({ email, firstName, language }: Addressee, mail: Mail) {
  const i18n = i18nFor(language);
  const { action, isAlert = false, paragraph, notMine } = mail;
  return messageOf(email, {
    language,
    ...wordsIn(i18n, {
      ...mail,
      paragraphs: [paragraph, ...(isAlert ? [notMine] : [])],
      notes: [...(action ? [action.validity] : []), ...(isAlert ? [] : [notMine])],
    }),
    kind: i18n._(msg`Your account`),
    greeting: i18n._(mail.greeting ?? msg`Hello ${firstName},`),
    ...(action?.code != null && {
      code: codeOf(action.code, i18n),
    }),
    ...(action !== undefined && { button: buttonOf(action, i18n) }),
    facts: action?.origin === undefined ? [] : factsOf(action.origin, i18n),
  });
}

/** The same for an email whose texts are ready. */
export async function messageOf(to: string, letter: Letter): Promise<Message> {
  const { subject } = letter;
  return { to, subject, html: await documentOf(letter), text: await textOf(letter) };
}

/** @param digits six, which are shown in two groups */
export function codeOf(digits: string, i18n: I18n) {
  return {
    label: i18n._(msg`Your code`),
    digits: digits.replace(/(?<=^\d{3})(?=\d{3}$)/, ' '),
    warning: i18n._(msg`Never share this code. We’ll never ask you for it.`),
  };
}

/** The link's address is visible, so that people see where it leads and can copy it. */
export function buttonOf({ label, link }: Pick<Action, 'label' | 'link'>, i18n: I18n) {
  const copyHint = i18n._(msg`If the button doesn’t work, copy this link into your browser:`);
  return { label: i18n._(label), link, copyHint };
}

function factsOf({ at, browser }: RequestOrigin, i18n: I18n): Letter['facts'] {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  const moment = `${new Intl.DateTimeFormat(i18n.locale, format).format(at)} UTC`;
  return [
    { label: i18n._(msg`Requested`), value: moment },
    ...(browser === null ? [] : [{ label: i18n._(msg`Browser`), value: browser }]),
  ];
}

/** The heading is left out: the subject, which stands above, says the same. */
async function textOf(letter: Letter): Promise<string> {
  const i18n = i18nFor(letter.language);
  const { about = '', greeting, paragraphs, day, quotes = [], code, button } = letter;
  const { calendar, second, facts, entries = [], notes, why, wayOut } = letter;
  const labeled = (label: string, value: string) => i18n._(msg`${label}: ${value}`);
  const blocks = [
    about,
    greeting,
    ...paragraphs,
    ...(day ? [[day.title, ...day.lines].join(' · ')] : []),
    ...entries.map(({ title, lines, link }) =>
      [
        lines.length === 0 ? title : labeled(title, lines.join(' · ')),
        ...(link === undefined ? [] : [link]),
      ].join('\n'),
    ),
    ...quotes.flatMap(({ label = '', lines }) => [label, ...lines]),
    ...(code ? [`${labeled(code.label, code.digits)}\n${code.warning}`] : []),
    ...[button, calendar, second].flatMap((one) => (one ? [`${one.label}\n${one.link}`] : [])),
    facts.map(({ label, value }) => labeled(label, value)).join('\n'),
    ...notes,
    why,
    ...(wayOut ? [`${wayOut.label}\n${wayOut.link}`] : []),
    'Lectern',
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}
