import 'server-only';
import { msg } from '@lingui/core/macro';
import { describeFields } from '#lib/schema-docs.ts';
import {
  ColumnsAsked,
  ImportCounts,
  ImportedLine,
  ImportInput,
  ImportResult,
  TooMany,
} from './schema.ts';

export const named = {
  ImportInput: describeFields(ImportInput, {
    text: {
      description: msg`The list: lines with cells, up to 1 MB and 5,000 lines. The separator (comma, semicolon, tab or |) and the names of the columns, in English or French, are detected`,
    },
    as: { description: msg`Whether the people are enrolled or invited` },
    dry_run: { description: msg`Only says what would happen` },
    rest: { description: msg`What happens to people for whom there is no place` },
    columns: {
      description: msg`What each column holds, in their order, if the list doesn’t say so`,
    },
    informed: {
      description: msg`That these people know that their address is given to this service; required unless it is a dry run`,
    },
  }),
  ImportResult: describeFields(ImportResult, {
    is_done: { description: msg`Whether the list was imported, and not only checked` },
    counts: { description: msg`How many lines there are, and what they do` },
    lines: {
      description: msg`The lines that need a look; all lines once it is done`,
    },
    summary: { description: msg`The same in sentences, in the language of the request` },
    too_many: {
      description: msg`What can happen to people for whom there is no place; null if all have one`,
    },
    action: {
      description: msg`The words of a button that does it; null if there is nothing to do`,
    },
    faulty_lines: {
      description: msg`The lines with faults and what is wrong, as CSV; null without any`,
    },
    columns: {
      description: msg`A guess at what each column holds, to be confirmed in \`columns\`, and the first rows; null if that is clear`,
    },
  }),
  ImportedLine: describeFields(ImportedLine, {
    line: { description: msg`The number of the line in the list, from 1` },
    name: { description: msg`The name as it is in the list` },
    email: { description: msg`The address as it is in the list` },
    verdict: { description: msg`The verdict on the line` },
    status: {
      description: msg`The status that the person gets; null for a line that changes nothing`,
    },
    message: { description: msg`The same in words, in the language of the request` },
  }),
};

export const unnamed = [
  describeFields(ImportCounts, {
    lines: { description: msg`How many lines name someone` },
    people: { description: msg`How many of them change the roster` },
    unchanged: { description: msg`How many of them change nothing` },
    faulty: { description: msg`How many of them have a fault` },
  }),
  describeFields(TooMany, {
    message: { description: msg`The same in words, in the language of the request` },
    choices: { description: msg`What \`rest\` can be` },
  }),
  describeFields(ColumnsAsked, {
    kinds: { description: msg`A guess at what each column holds` },
    sample: { description: msg`The first rows` },
  }),
];
