/**
 * The result of a check: `missing` stops a deployment, `placeholder` stops all but a dry run,
 * `advice` does not, and `unchecked` could not be checked.
 */
export type Finding = {
  kind: 'fine' | 'missing' | 'placeholder' | 'advice' | 'unchecked';
  text: string;
};

const labels = {
  fine: 'ok',
  missing: 'missing',
  placeholder: 'missing',
  advice: 'advice',
  unchecked: 'not checked',
} as const satisfies Record<Finding['kind'], string>;

export function printFindings(findings: Finding[]): void {
  for (const { kind, text } of findings) {
    console.log(`  ${labels[kind].padEnd(11)}  ${text}`);
  }
}

/** The number of findings that stop a deployment. */
export function countMissing(findings: Finding[]): number {
  return findings.filter(({ kind }) => kind === 'missing' || kind === 'placeholder').length;
}
