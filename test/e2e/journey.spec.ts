import { expect, linkMailedTo, mailsTo, test, uniqueEmail } from './support.ts';

/** The main journey of the product, end to end with real parts, in the words on screen. */
const languages = {
  en: {
    browser: 'en-GB',
    toSignUp: 'Create an account',
    firstName: 'First name',
    lastName: 'Last name',
    email: 'Email address',
    createAccount: 'Create account',
    accountCreated: 'Account created',
    verificationSubject: 'Confirm your email address for Lectern',
    confirm: 'Confirm and log in',
    firstCourse: 'Create your first course',
    courseName: 'Course name',
    courseType: /^Cohort/,
    createCourse: 'Create Course',
    welcome: 'Welcome, Zoë',
    selectedCourse: /^Course /,
    createNewCourse: 'create new course',
    newCourseType: /^Evergreen/,
    courseIsThere: 'Course created and selected.',
    logOut: 'Log out',
    sendLink: 'Send me a login link',
    checkEmail: 'Check your email',
    loginSubject: 'Your Lectern login link',
    logIn: 'Log in',
  },
  fr: {
    browser: 'fr-FR',
    toSignUp: 'Créez un compte',
    firstName: 'Prénom',
    lastName: 'Nom',
    email: 'Adresse e‑mail',
    createAccount: 'Créer mon compte',
    accountCreated: 'Compte créé',
    verificationSubject: 'Confirmez votre adresse e‑mail pour Lectern',
    confirm: 'Confirmer et me connecter',
    firstCourse: 'Créez votre premier cours',
    courseName: 'Nom du cours',
    courseType: /^Cohorte/,
    createCourse: 'Créer le cours',
    welcome: 'Bienvenue, Zoë',
    selectedCourse: /^Cours /,
    createNewCourse: 'créer un nouveau cours',
    newCourseType: /^En autonomie/,
    courseIsThere: 'Cours créé et sélectionné.',
    logOut: 'Se déconnecter',
    sendLink: 'Recevoir un lien de connexion',
    checkEmail: 'Consultez votre messagerie',
    loginSubject: 'Votre lien de connexion Lectern',
    logIn: 'Se connecter',
  },
} as const;

for (const [language, words] of Object.entries(languages)) {
  test.describe(language, () => {
    test.use({ locale: words.browser });

    test(`from a first visit to two courses, logging out and in again (${language})`, async ({
      page,
    }) => {
      const email = uniqueEmail();

      await page.goto('/');
      await expect(page).toHaveURL('/login');
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await page.getByRole('link', { name: words.toSignUp }).click();
      await expect(page).toHaveURL('/signup');

      await page.getByLabel(words.firstName).fill('Zoë');
      await page.getByLabel(words.lastName, { exact: true }).fill('O’Neil-Łukasz');
      await page.getByLabel(words.email).fill(email);
      await page.getByRole('button', { name: words.createAccount }).click();
      await expect(page.getByRole('heading', { name: words.accountCreated })).toBeVisible();
      await expect(page.getByText(email)).toBeVisible();

      const verificationLink = await linkMailedTo(email, 1);
      expect((await mailsTo(email))[0]?.subject).toBe(words.verificationSubject);
      await page.goto(verificationLink);
      await expect(page.getByText('a•••@example.com')).toBeVisible();
      await page.getByRole('button', { name: words.confirm }).click();
      await expect(page).toHaveURL('/onboarding/course');
      await expect(page.getByRole('heading', { name: words.firstCourse })).toBeVisible();

      await page.getByLabel(words.courseName).fill('Analytical Engines');
      await page.getByLabel(words.courseType).check();
      await page.getByRole('button', { name: words.createCourse }).click();
      await expect(page).toHaveURL('/');
      await expect(page.getByRole('heading', { name: words.welcome })).toBeVisible();
      const main = page.getByRole('main');
      await expect(main.getByText('Zoë O’Neil-Łukasz')).toBeVisible();
      await expect(main.getByText(email)).toBeVisible();
      await expect(main.getByRole('heading', { name: 'Analytical Engines' })).toBeVisible();

      const selector = page.getByRole('button', { name: words.selectedCourse });
      await selector.click();
      await page.getByRole('button', { name: words.createNewCourse }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(words.courseName).fill('Difference Engines');
      await dialog.getByLabel(words.newCourseType).check();
      await dialog.getByRole('button', { name: words.createCourse, exact: true }).click();
      await expect(main.getByRole('heading', { name: 'Difference Engines' })).toBeVisible();
      // The toast of the first course may still be there.
      await expect(page.getByText(words.courseIsThere).last()).toBeVisible();
      await selector.click();
      await page.getByRole('option', { name: /^Analytical Engines/ }).click();
      await expect(main.getByRole('heading', { name: 'Analytical Engines' })).toBeVisible();
      await expect(main.getByRole('heading', { name: 'Difference Engines' })).toHaveCount(0);

      await page.getByRole('button', { name: words.logOut }).click();
      await expect(page).toHaveURL('/login');
      await page.goto('/');
      await expect(page).toHaveURL('/login');

      await page.getByLabel(words.email).fill(email);
      await page.getByRole('button', { name: words.sendLink }).click();
      await expect(page.getByRole('heading', { name: words.checkEmail })).toBeVisible();
      await expect(page.getByText(email)).toBeVisible();

      const loginLink = await linkMailedTo(email, 2);
      expect((await mailsTo(email))[1]?.subject).toBe(words.loginSubject);
      await page.goto(loginLink);
      await page.getByRole('button', { name: words.logIn }).click();
      await expect(page).toHaveURL('/');
      await expect(page.getByRole('heading', { name: words.welcome })).toBeVisible();
      await expect(main.getByRole('heading', { name: 'Analytical Engines' })).toBeVisible();
    });
  });
}
