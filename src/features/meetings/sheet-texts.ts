import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { validation } from './vocabulary.ts';

// Where the browser puts a day or a number in.
const [day, number] = ['#', '#'];

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
  dateOfAdded: msg`Date of the session`,
  remove: msg`Remove ${day}`,
  paste: msg`Paste titles`,
  add: msg`Add a date`,
  hint: msg`Have a list? Paste it into a title: each line becomes the title of the next week with class. Enter goes down a row.`,
  filledOne: msg`${number} title filled.`,
  filled: msg`${number} titles filled.`,
  left: msg`Lines that didn’t fit: ${number}.`,
  undo: msg`Undo`,
  titleTooLong: validation.meeting_title_too_long,
  lineTooLong: validation.public_line_too_long,
  reasonTooLong: validation.day_off_reason_too_long,
};

/** With `#` in the place of a day or of a number. */
export type SheetTexts = Record<keyof typeof texts, string>;

/** What the sheet of sessions says, in one language. */
export function sheetTexts(i18n: I18n): SheetTexts {
  const said = Object.entries(texts).map(([name, text]) => [name, i18n._(text)]);
  // The names are those of the texts.
  return Object.fromEntries(said) as SheetTexts;
}
