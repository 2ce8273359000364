/**
 * What is known to break a rule today: the rule is not checked, or not once one of these actions was
 * done. An entry goes with the fault that it is about.
 */
type NotYet = { finding: string; rule: string; after?: readonly string[] };

export const notYet: readonly NotYet[] = [];

/** Whether it is known that a rule is broken in a sequence. */
export function isKnown(broken: string, done: ReadonlySet<string>): boolean {
  return notYet.some(
    ({ rule, after }) =>
      broken.startsWith(rule) && (after === undefined || after.some((what) => done.has(what))),
  );
}
