import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Who a page is for, by what it asks for in its first line. */
const readers = {
  cohortPage: 'instructor',
  requireCourse: 'instructor',
  requireUser: 'newcomer',
  learnerRequest: 'learner',
} as const;

export type Reader = (typeof readers)[keyof typeof readers] | 'nobody';

/** A page: its file in src/pages without the ending, its path, and who gets to see it. */
export type ListedPage = { file: string; path: string; reader: Reader };

const folder = path.join(import.meta.dirname, '../src/pages');

/** Every page of src/pages but the one for paths that are unknown. */
export const pageList: ListedPage[] = globSync('**/*.tsx', { cwd: folder })
  .filter((name) => !/^(_|404)/.test(name))
  .sort()
  .map((name) => {
    const source = readFileSync(path.join(folder, name), 'utf8');
    const [, asks = ''] =
      /\b(cohortPage|requireCourse|requireUser|learnerRequest)\(/.exec(source) ?? [];
    return {
      file: name.replace('.tsx', ''),
      path: `/${name.replace(/(^|\/)index\.tsx$|\.tsx$/, '')}`,
      reader: readers[asks as keyof typeof readers] ?? 'nobody',
    };
  });
