import { dialogOf, openNewCourse, triggerOf } from './courses.ts';
import { lookAsOwner } from './people.ts';
import { expect, openReady, test, untilLoaded } from './support.ts';

test('without invoker commands the dialogs open and close all the same, and give the focus back', async ({
  page,
}) => {
  // The properties are missing, and the browser does nothing itself.
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
  await lookAsOwner(page);
  await openReady(page, '/settings');
  await untilLoaded(page, 'commands');
  const button = page.getByRole('main').getByRole('button', { name: 'Delete this course' });
  await button.click();
  const dialog = page.getByRole('dialog', { name: 'Delete this course?' });
  await expect(dialog).toBeVisible();
  expect(await dialog.evaluate((element) => element.matches(':modal'))).toBe(true);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();

  await openNewCourse(page);
  await page.keyboard.press('Escape');
  await expect(dialogOf(page)).toBeHidden();
  await expect(triggerOf(page)).toBeFocused();
});
