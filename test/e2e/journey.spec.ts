import { expect, linkMailedTo, mailsTo, test, uniqueEmail } from './support.ts';

test.use({ locale: 'fr-FR' });

/** The main journey of the product in French; the other tests go through its parts in English. */
test('from a first visit to two courses, logging out and in again', async ({ page }) => {
  const email = uniqueEmail();
  await page.goto('/');
  await expect(page).toHaveURL('/login');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await page.getByRole('link', { name: 'Créez un compte' }).click();
  await expect(page).toHaveURL('/signup');
  await page.getByLabel('Prénom').fill('Zoë');
  await page.getByLabel('Nom', { exact: true }).fill('O’Neil-Łukasz');
  await page.getByLabel('Adresse e‑mail').fill(email);
  await page.getByRole('button', { name: 'Créer mon compte' }).click();
  await expect(page.getByRole('heading', { name: 'Compte créé' })).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();

  await page.goto(await linkMailedTo(email, 1));
  expect((await mailsTo(email))[0]?.subject).toBe('Confirmez votre adresse e‑mail pour Lectern');
  await expect(page.getByText('a•••@example.com')).toBeVisible();
  await page.getByRole('button', { name: 'Confirmer et me connecter' }).click();
  await expect(page).toHaveURL('/onboarding/course');
  await expect(page.getByRole('heading', { name: 'Créez votre premier cours' })).toBeVisible();
  await page.getByLabel('Nom du cours').fill('Analytical Engines');
  await page.getByLabel(/^Cohorte/).check();
  await page.getByRole('button', { name: 'Créer le cours' }).click();
  await expect(page).toHaveURL('/');
  const main = page.getByRole('main');
  const welcome = page.getByRole('heading', { name: 'Bienvenue, Zoë' });
  const course = (name: string) => main.getByRole('heading', { name });
  await expect(welcome).toBeVisible();
  await expect(main.getByText('Zoë O’Neil-Łukasz')).toBeVisible();
  await expect(main.getByText(email)).toBeVisible();
  await expect(course('Analytical Engines')).toBeVisible();

  const selector = page.getByRole('button', { name: /^Cours / });
  await selector.click();
  await page.getByRole('button', { name: 'créer un nouveau cours' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Nom du cours').fill('Difference Engines');
  await dialog.getByLabel(/^En autonomie/).check();
  await dialog.getByRole('button', { name: 'Créer le cours', exact: true }).click();
  await expect(course('Difference Engines')).toBeVisible();
  // The toast of the first course may still be there.
  await expect(page.getByText('Cours créé et sélectionné.').last()).toBeVisible();
  await selector.click();
  await page.getByRole('option', { name: /^Analytical Engines/ }).click();
  await expect(course('Analytical Engines')).toBeVisible();
  await expect(course('Difference Engines')).toHaveCount(0);

  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  await expect(page).toHaveURL('/login');
  await page.goto('/');
  await expect(page).toHaveURL('/login');
  await page.getByLabel('Adresse e‑mail').fill(email);
  await page.getByRole('button', { name: 'Recevoir un lien de connexion' }).click();
  await expect(page.getByRole('heading', { name: 'Consultez votre messagerie' })).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  await page.goto(await linkMailedTo(email, 2));
  expect((await mailsTo(email))[1]?.subject).toBe('Votre lien de connexion Lectern');
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page).toHaveURL('/');
  await expect(welcome).toBeVisible();
  await expect(course('Analytical Engines')).toBeVisible();
});
