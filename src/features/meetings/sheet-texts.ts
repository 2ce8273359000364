import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { type Numbered, numbered } from '#lib/numbered-texts.ts';
import { validationTexts } from '#vocabulary.ts';
import { validation } from './vocabulary.ts';

// Where the browser puts a day, a number or a list in.
const [day, number, list] = ['#', '#', '#'];

const texts = {
  date: msg`Date`,
  title: msg`Title`,
  line: msg`Public line, optional`,
  noClass: msg`No class`,
  noClassColon: msg`No class:`,
  titleOf: msg`Title, ${day}`,
  lineOf: msg`Public line, ${day}`,
  noClassOn: msg`No class, ${day}`,
  reasonOf: msg`Reason, ${day}`,
  until: msg`through`,
  lastDayOf: msg`Last day without class, from ${day}`,
  dateOfAdded: msg`Date of the session`,
  remove: msg`Remove ${day}`,
  paste: msg`Paste titles`,
  add: msg`Add a date`,
  hint: msg`Have a list? Paste it into a title: each line becomes the title of the next session. Enter goes down a row.`,
  session: msg`Session ${number}:`,
  endLater: msg`Keep all sessions and end on ${day}`,
  undo: msg`Undo`,
  close: msg`Close`,
  cancel: msg`Cancel`,
  pasteTitle: msg`Paste your syllabus`,
  pasted: msg`Text of your syllabus`,
  made: msg`Sessions found in your syllabus`,
  column: msg`What’s in column ${number}`,
  day: msg`Day`,
  publicLine: msg`Public line`,
  none: msg`Leave out`,
  leftOut: msg`${list} left out`,
  undoable: msg`You can undo this.`,
  outside: msg`outside the cohort’s dates`,
  undated: msg`needs a date`,
  otherWeekday: msg`a ${day}, kept as it is`,
  titleTooLong: validation.meeting_title_too_long,
  lineTooLong: validation.public_line_too_long,
  reasonTooLong: validation.day_off_reason_too_long,
  characters: validationTexts.text_characters,
  dateRequired: validationTexts.date_required,
};

/** With `#` in the place of a day, a list or a number. */
export type SheetTexts = Record<keyof typeof texts, string> & {
  counts: Record<keyof ReturnType<typeof countsIn>, Numbered>;
};

/** What the sheet of sessions says, in one language. */
export function sheetTexts(i18n: I18n): SheetTexts {
  const said = Object.entries(texts).map(([name, text]) => [name, i18n._(text)]);
  // The names are those of the texts.
  return { ...(Object.fromEntries(said) as SheetTexts), counts: countsIn(i18n) };
}

function countsIn(i18n: I18n) {
  const of = (text: (n: number) => MessageDescriptor) => numbered((n) => i18n._(text(n)));
  return {
    fallen: of(
      (n) =>
        msg`${plural(n, { one: '# session will be dropped.', other: '# sessions will be dropped.' })}`,
    ),
    sessions: of((n) => msg`${plural(n, { one: '# session', other: '# sessions' })}`),
    spans: of(
      (n) => msg`${plural(n, { one: '# span without class', other: '# spans without class' })}`,
    ),
    headings: of((n) => msg`${plural(n, { one: '# week heading', other: '# week headings' })}`),
    empty: of((n) => msg`${plural(n, { one: '# empty line', other: '# empty lines' })}`),
    otherWeekday: of(
      (n) => msg`${plural(n, { one: '# on another weekday', other: '# on another weekday' })}`,
    ),
    doubts: of((n) => msg`${plural(n, { one: '# needs a look', other: '# need a look' })}`),
    replaces: of(
      (n) =>
        msg`${plural(n, { one: 'Replaces # row in the table.', other: 'Replaces the # rows in the table.' })}`,
    ),
    use: of((n) => msg`${plural(n, { one: 'Use # session', other: 'Use # sessions' })}`),
    used: of(
      (n) => msg`${plural(n, { one: '# session filled in.', other: '# sessions filled in.' })}`,
    ),
  };
}
