import { env } from 'cloudflare:workers';

/** The command that repeats a test of random cases, named by a part of its path. */
export function repeatedBy(file: string): string {
  const everyCase = env.EVERY_CASE ? 'EVERY_CASE=1 ' : '';
  return `${everyCase}FUZZ_SEED=${env.FUZZ_SEED} npm test -- ${file} repeats this`;
}
