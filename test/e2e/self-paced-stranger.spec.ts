import { openRun } from './open-runs.ts';
import { makeOutline, menuOf } from './outlines.ts';
import { askForPlace, linkTo } from './participants.ts';
import { writeRow } from './rows.ts';
import { expect, mailsTo, openReady, runClock, signInWith, test } from './support.ts';

test('a stranger enrolls in French on any day, reads what is open, is told of more, and has a certificate', async ({
  page,
  openBrowser,
}) => {
  await signInWith(page, [{ name: 'Writing', course_type: 'evergreen' }]);
  await makeOutline(page, { Sounds: ['Listening', 'Naming'], Scenes: ['Rooms'] }, true);
  await openReady(page, '/lessons');
  await menuOf(page, 'Scenes').click();
  await page.getByRole('button', { name: 'When it opens…' }).click();
  const rule = page.getByRole('dialog', { name: 'When does this section open?' });
  await rule.getByRole('radio', { name: 'After some days' }).check();
  await rule.getByLabel('Days', { exact: true }).fill('7');
  await rule.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Opens on day 7')).toBeVisible();
  await openReady(page, '/cohorts');
  await page.getByRole('button', { name: 'Open enrollment' }).click();
  const opening = page.getByRole('dialog', { name: 'Open enrollment?' });
  await opening.getByRole('button', { name: 'Open enrollment' }).click();
  await expect(page.getByText('Enrollment is open.')).toBeVisible();
  const { id: run, public_url: url } = await openRun(page);

  const visitor = await openBrowser({ locale: 'fr-FR' });
  const pages: string[] = [];
  const look = async () => pages.push(await visitor.locator('body').innerText());
  const email = await askForPlace(visitor, `${url}?lang=fr`, {
    name: 'Votre nom',
    email: 'Adresse e‑mail',
    button: 'S’inscrire',
    sent: 'Consultez votre messagerie',
  });
  await look();
  await visitor.goto(await linkTo('/p/confirm?token=', email));
  await look();
  await visitor.getByRole('button', { name: 'Confirmer ma place' }).click();
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Vous pouvez commencer.');
  await look();
  const open = visitor.getByRole('button', { name: 'Ouvrir le cours' });
  await open.click();
  await expect(visitor.getByText(/Prochaine section, /)).toBeVisible();
  await look();
  await visitor.getByRole('link', { name: 'Commencer : leçon 1' }).click();
  await visitor.getByRole('button', { name: 'Terminée, leçon suivante' }).click();
  await visitor.getByRole('button', { name: 'Terminée, retour au cours' }).click();
  await expect(visitor.getByRole('heading', { name: /2 des 3 leçons/ })).toBeVisible();
  await expect(visitor.getByRole('link', { name: 'Rooms' })).toHaveCount(0);

  // The clock notes when the section opens, a week goes by, and it says so.
  await runClock(page);
  const week = String(7 * 24 * 60 * 60 * 1000);
  const earlier = 'started_at = started_at - ?, next_release_at = next_release_at - ?';
  await writeRow(run, `UPDATE learning SET ${earlier} WHERE cohort_id = ?`, week, week);
  await runClock(page);
  const own = await linkTo('/p/', email, 3);
  expect((await mailsTo(email)).at(-1)?.subject).toMatch(/Du nouveau dans .*Scenes/);
  await visitor.goto(own);
  await look();
  await open.click();
  await visitor.getByRole('link', { name: 'Continuer : leçon 3' }).click();
  await visitor.getByRole('button', { name: 'Terminée, finir le cours' }).click();
  await visitor.getByRole('link', { name: 'Voir mon attestation' }).click();
  await expect(visitor.getByRole('article')).toContainText('Grace Hopper');
  await look();
  await linkTo('/p/', email, 4);
  expect((await mailsTo(email)).at(-1)?.subject).toMatch(/^Cours terminé.*Writing/);
  for (const text of pages) {
    expect(text).not.toMatch(/cohort|210[01]/i);
  }
});
