/** What an import takes, in one place. Sizes are in bytes. */
export const importLimits = {
  /** Of what is chosen: as much as an owner can have of files. */
  chosen: 2_000_000_000,
  /** Files and folders in a zip. */
  entries: 5_000,
  /** Of the list of them. */
  directory: 4_000_000,
  /** What a zip inside a zip may become. */
  innerZip: 2_000_000_000,
  /** Of one text, and of all. */
  text: 1_000_000,
  texts: 8_000_000,
  /** Of one file: what plays can be large, and an image is before it is drawn smaller. */
  media: 500_000_000,
  file: 50_000_000,
  /** What the server takes at once, with what JSON adds. */
  request: 2_000_000,
} as const;

/** Why something can't be imported, by codes that the page has words for. */
export type ImportProblem =
  | 'too_large'
  | 'too_large_together'
  | 'same_names'
  | 'too_many_files'
  | 'too_much_text'
  | 'bomb'
  | 'broken'
  | 'encrypted'
  | 'unsupported_compression'
  | 'nested'
  | 'unsafe_name'
  | 'no_lessons';

/** That nothing of what was chosen can be imported, and which file is to blame. */
export class ImportRefusal extends Error {
  override readonly name = 'ImportRefusal';
  readonly problem: ImportProblem;
  readonly at: string;

  constructor(problem: ImportProblem, at: string) {
    super('An import was refused');
    this.problem = problem;
    this.at = at;
  }
}
