/**
 * What a check has found: `missing` stops a deployment, a `placeholder` stops all but a dry run, `advice` does not, and
 * `unchecked` could not be looked at.
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

/** How many things stand in the way. */
export function countMissing(findings: Finding[]): number {
  return findings.filter(({ kind }) => kind === 'missing' || kind === 'placeholder').length;
}
