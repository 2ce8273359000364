import { addPerson, publishOwnCohort } from './participants.ts';
import { section } from './settings.ts';
import { expect, test } from './support.ts';

test('an instructor creates the link to their calendar, replaces it and turns it off; a participant copies theirs', async ({
  page,
  openBrowser,
}) => {
  const cohort = await publishOwnCohort(page);
  // The server closes connections that rest.
  const read = (address: string) => page.request.get(address, { maxRetries: 1 });
  await page.goto('/cohorts');
  const calendar = section(page, 'Your calendar');
  await calendar.getByRole('button', { name: 'Create a calendar link' }).press('Enter');
  await expect(page.getByText('Calendar link created.')).toBeVisible();
  const download = calendar.getByRole('link', { name: 'Download' });
  const first = (await download.getAttribute('href')) ?? '';
  const [file] = await Promise.all([page.waitForEvent('download'), download.click()]);
  expect(file.suggestedFilename()).toBe('lectern.ics');
  expect(await (await read(first)).text()).toContain('SUMMARY:Biology 101 · Winter');

  await calendar.getByText('Change or turn off the link').click();
  await calendar.getByRole('button', { name: 'Create a new link' }).click();
  await expect(page.getByText('New calendar link created.')).toBeVisible();
  await expect(download).not.toHaveAttribute('href', first);
  const second = (await download.getAttribute('href')) ?? '';
  expect((await read(first)).status()).toBe(404);
  expect((await read(second)).status()).toBe(200);
  await calendar.getByRole('button', { name: 'Turn off the calendar' }).click();
  await expect(page.getByText('Calendar turned off.')).toBeVisible();
  expect((await read(second)).status()).toBe(404);

  const { link } = await addPerson(page, cohort);
  const reader = await openBrowser({ permissions: ['clipboard-read', 'clipboard-write'] });
  await reader.goto(link);
  await reader.getByText('Add to my calendar').click();
  await reader.getByRole('button', { name: 'Copy' }).click();
  await expect(reader.getByRole('button', { name: 'Copied' })).toBeVisible();
  const copied = await reader.evaluate(() => window.navigator.clipboard.readText());
  expect(await (await reader.request.get(copied, { maxRetries: 1 })).text()).toContain(
    'SUMMARY:Biology 101 · Winter',
  );
});
