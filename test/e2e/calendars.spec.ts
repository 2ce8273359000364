import { addPerson, publishCohort } from './participants.ts';
import { section } from './settings.ts';
import { expect, test } from './support.ts';

test('an instructor creates the link to their calendar, replaces it and turns it off', async ({
  page,
}) => {
  await publishCohort(page);
  await page.goto('/cohorts');
  const calendar = section(page, 'Your calendar');
  await calendar.getByRole('button', { name: 'Create a calendar link' }).press('Enter');
  await expect(page.getByText('Calendar link created.')).toBeVisible();
  const download = calendar.getByRole('link', { name: 'Download' });
  const first = (await download.getAttribute('href')) ?? '';
  const webcal = first.replace(/^https?/, 'webcal');
  await expect(calendar.getByRole('link', { name: 'Subscribe' })).toHaveAttribute('href', webcal);
  await expect(calendar.getByRole('link', { name: 'Google Calendar' })).toHaveAttribute(
    'href',
    `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcal)}`,
  );
  const [file] = await Promise.all([page.waitForEvent('download'), download.click()]);
  expect(file.suggestedFilename()).toBe('lectern.ics');
  expect(await (await page.request.get(first)).text()).toContain('SUMMARY:Biology 101 · Winter');

  await calendar.getByText('Change or turn off the link').click();
  await calendar.getByRole('button', { name: 'Create a new link' }).click();
  await expect(page.getByText('New calendar link created.')).toBeVisible();
  const second = (await download.getAttribute('href')) ?? '';
  expect((await page.request.get(first)).status()).toBe(404);
  expect((await page.request.get(second)).status()).toBe(200);
  await calendar.getByRole('button', { name: 'Turn off the calendar' }).click();
  await expect(page.getByText('Calendar turned off.')).toBeVisible();
  await expect(calendar.getByRole('button', { name: 'Create a calendar link' })).toBeVisible();
  expect((await page.request.get(second)).status()).toBe(404);
});

test('a participant copies the link to their calendar; everyone downloads the dates without scripts', async ({
  page,
  openBrowser,
}) => {
  const cohort = await publishCohort(page);
  const { link } = await addPerson(page, cohort);
  const reader = await openBrowser({ permissions: ['clipboard-read', 'clipboard-write'] });
  await reader.goto(link);
  await reader.getByText('Add to my calendar').click();
  await reader.getByRole('button', { name: 'Copy' }).click();
  await expect(reader.getByRole('button', { name: 'Copied' })).toBeVisible();
  const copied = await reader.evaluate(() => window.navigator.clipboard.readText());
  const answer = await reader.request.get(copied);
  expect(answer.headers()['content-type']).toBe('text/calendar; charset=utf-8');
  expect(await answer.text()).toContain('SUMMARY:Biology 101 · Winter');

  const quiet = await openBrowser({ javaScriptEnabled: false });
  const downloadBy = async (name: string) => {
    const downloading = quiet.waitForEvent('download');
    await quiet.getByRole('link', { name }).click();
    return (await downloading).suggestedFilename();
  };
  await quiet.goto(link);
  await quiet.getByText('Add to my calendar').click();
  expect(await downloadBy('Download')).toBe('lectern.ics');
  await quiet.goto(cohort.public_url);
  expect(await downloadBy('Download the dates')).toBe('biology-101-winter.ics');
});
