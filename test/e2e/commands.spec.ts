import type { Page } from '@playwright/test';
import { expect, openReady, signInWith, test, untilLoaded } from './support.ts';

const biology = { name: 'Biology 101', course_type: 'cohort' } as const;

/** A browser without invoker commands: the properties are missing, and it does nothing itself. */
test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['command', 'commandForElement']) {
      delete (HTMLButtonElement.prototype as unknown as Record<string, unknown>)[name];
    }
    window.addEventListener(
      'command',
      (event) => {
        if (event.isTrusted) {
          event.preventDefault();
          event.stopImmediatePropagation();
        }
      },
      { capture: true },
    );
  });
});

test('without invoker commands the dialogs open and close all the same', async ({ page }) => {
  await signInWith(page, [biology]);
  await openWithCommands(page, '/settings');
  const button = page.getByRole('main').getByRole('button', { name: 'Delete this course' });
  await button.click();
  const dialog = page.getByRole('dialog', { name: 'Delete this course?' });
  await expect(dialog).toBeVisible();
  expect(await dialog.evaluate((element) => element.matches(':modal'))).toBe(true);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
});

test('a dialog opens from a menu, which then gets the focus back', async ({ page }) => {
  await signInWith(page, [biology]);
  await openWithCommands(page, '/');
  const trigger = page.getByRole('button', { name: /^Course\b/ });
  await trigger.click();
  await page.getByRole('button', { name: 'create new course' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a new course' });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');

  await expect(dialog).toBeHidden();
  await expect(trigger).toBeFocused();
});

async function openWithCommands(page: Page, path: string): Promise<void> {
  await openReady(page, path);
  await untilLoaded(page, 'commands');
}
