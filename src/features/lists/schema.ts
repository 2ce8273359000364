import * as z from 'zod/mini';
import { code } from '#features/places/person-fields.ts';
import { columnKinds, saysWho } from './columns.ts';

/** What is wrong with a line itself. */
const faults = [
  'broken',
  'invalid_email',
  'invalid_name',
  'invalid_note',
  'invalid_answer',
] as const;
export type Fault = (typeof faults)[number];

/** What is said about a line of a list. */
const verdicts = [
  'new',
  'known',
  'waiting',
  'already',
  'duplicate',
  ...faults,
  'undeliverable',
  'removed',
  'unsubscribed',
  'no_place',
  'over_limit',
] as const;
export type LineVerdict = (typeof verdicts)[number];

/** What happens to people for whom there is no place. */
const restChoices = ['waitlist', 'invite', 'add'] as const;
export type RestChoice = (typeof restChoices)[number];

/** A list of people, and what is to be done with it. */
export const ImportInput = z.strictObject({
  text: z
    .string()
    .check(
      z.describe(
        'Lines with cells, up to 1 MB and 5,000 lines. The separator (comma, semicolon, tab or |) and the names of the columns, in English or French, are detected',
      ),
    ),
  as: z.enum(['enrolled', 'invited'], code('unknown_value')),
  dry_run: z._default(z.boolean(), false),
  rest: z.optional(z.enum(restChoices, code('unknown_value'))),
  columns: z.optional(
    z
      .array(z.enum(columnKinds, code('unknown_value')))
      .check(
        z.maxLength(50),
        z.refine(saysWho, code('import_columns')),
        z.describe('What each column holds, in their order, if the list doesn’t say so'),
      ),
  ),
  informed: z
    ._default(z.boolean(), false)
    .check(
      z.describe(
        'That the people know that their address is given to this service; required unless it is a dry run',
      ),
    ),
});
export type ImportInput = z.output<typeof ImportInput>;

/** What becomes of a line, or has become of it. */
export const ImportedLine = z.object({
  line: z.int(),
  name: z.string(),
  email: z.string(),
  verdict: z.enum(verdicts),
  /** The status that the person gets; null for a line that changes nothing. */
  status: z.nullable(z.enum(['invited', 'enrolled', 'waitlisted'])),
  message: z.string(),
});

export const ImportCounts = z.object({
  lines: z.int(),
  people: z.int(),
  unchanged: z.int(),
  faulty: z.int(),
});

/** What is asked if there are more people than places. */
export const TooMany = z.object({ message: z.string(), choices: z.array(z.enum(restChoices)) });

/** Which column is what, and the first rows. */
export const ListColumns = z.object({
  kinds: z.array(z.enum(columnKinds)),
  sample: z.array(z.array(z.string())),
  /** Whether the list says who people are; otherwise nothing is checked. */
  is_clear: z.boolean(),
});

/** What an import does, or has done. */
export const ImportResult = z.object({
  is_done: z.boolean(),
  counts: ImportCounts,
  lines: z
    .array(ImportedLine)
    .check(z.describe('The lines that need a look; all lines once it is done')),
  /** The same in sentences. */
  summary: z.array(z.string()),
  /** Null if all find a place, or need none. */
  too_many: z.nullable(TooMany),
  /** What the button that does it says; null if there is nothing to do. */
  action: z.nullable(z.string()),
  /** The lines with faults, each with what is wrong, as a file; null without any. */
  faulty_lines: z.nullable(z.string()),
  /** Null where every column is imported, and once it is done. */
  columns: z.nullable(ListColumns),
});
export type ImportResult = z.infer<typeof ImportResult>;
