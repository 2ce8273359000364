import { msg } from '#i18n/msg.ts';
import { type Errors, type LimitRates, type ValidationTexts, withStatus } from '#lib/vocabulary.ts';

export const errors = {
  ...withStatus(400, {
    import_empty: msg`This list is empty.`,
    import_not_text: msg`This is not a text file. Please save your list as CSV, and choose that file.`,
    import_too_many_rows: msg`A list can have up to 5,000 lines. Please split it.`,
  }),
  import_too_large: { status: 413, text: msg`A list can be up to 1 MB. Please split it.` },
  too_many_for_places: {
    status: 422,
    text: msg`{free, plural, =0 {No place is free.} one {Only one place is free.} other {Only # places are free.}} Please choose what happens to the others.`,
  },
} satisfies Errors;

export const validation = {
  import_columns: msg`Please say which columns have the names and the addresses`,
  import_informed: msg`Please confirm that you’ve told them`,
} satisfies ValidationTexts;

export const limits = {
  /** Lists of people that an instructor imports; what changes nothing does not count. */
  imports_per_user: ['10/h'],
  /**
   * Lists that an instructor sends, to look at them or to import them. They count before they are
   * read, which is what takes long, so one that is refused for what is in it counts too.
   */
  import_previews_per_user: ['60/h'],
} as const satisfies LimitRates;

export const events = { people_imported: true };
