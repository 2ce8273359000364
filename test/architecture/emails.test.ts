import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { courseHues } from '#db/values.ts';

test('the colors of emails are those of the app', () => {
  const emails = readFileSync('src/email/document.ts', 'utf8');
  const app = readFileSync('src/styles/tokens.css', 'utf8');

  for (const hue of courseHues) {
    const [, light, dark] =
      new RegExp(`^  ${hue}: \\['(#\\w+)', '(#\\w+)'\\],$`, 'm').exec(emails) ?? [];
    expect(app).toMatch(
      new RegExp(
        `\\[data-hue${hue === 'teal' ? '' : `="${hue}"`}\\] \\{[^}]*--cover: light-dark\\(${light}, ${dark}\\);`,
      ),
    );
  }
  for (const name of ['paper', 'surface', 'tint', 'ink', 'muted', 'line', 'accent', 'on-accent']) {
    const [, light, dark] =
      new RegExp(`^  '?${name}'?: \\['(#\\w+)', '(#\\w+)'\\],$`, 'm').exec(emails) ?? [];
    expect(app).toContain(`--color-${name}: light-dark(${light}, ${dark});`);
  }
});
