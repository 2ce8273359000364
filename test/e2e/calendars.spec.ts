import { addPerson, publishCohort } from './participants.ts';
import { expect, holdScripts, test } from './support.ts';

test.describe('calendars', () => {
  test('an instructor creates the address of their calendar, replaces it and turns it off', async ({
    page,
  }) => {
    await publishCohort(page);
    await page.goto('/cohorts');
    const section = page.getByRole('region', { name: 'Your calendar' });
    await section.getByRole('button', { name: 'Create a calendar address' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Calendar address created.')).toBeVisible();
    const download = section.getByRole('link', { name: 'Download' });
    const first = (await download.getAttribute('href')) ?? '';
    const subscribe = section.getByRole('link', { name: 'Subscribe' });
    await expect(subscribe).toHaveAttribute('href', first.replace(/^https?/, 'webcal'));
    await expect(section.getByRole('link', { name: 'Google Calendar' })).toHaveAttribute(
      'href',
      `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(first.replace(/^https?/, 'webcal'))}`,
    );
    await expect(section).toContainText('Google once or twice a day, Outlook every few hours.');
    const [file] = await Promise.all([page.waitForEvent('download'), download.click()]);
    expect(file.suggestedFilename()).toBe('lectern.ics');
    expect(await (await page.request.get(first)).text()).toContain('SUMMARY:Winter');

    await section.getByText('Change or turn off the address').click();
    await expect(section).toContainText(
      'keep showing what they last loaded, so remove them there.',
    );
    await section.getByRole('button', { name: 'Make a new address' }).click();
    await expect(page.getByText('New calendar address created.')).toBeVisible();
    const second = (await download.getAttribute('href')) ?? '';
    expect(second).not.toBe(first);
    expect((await page.request.get(first)).status()).toBe(404);
    expect((await page.request.get(second)).status()).toBe(200);

    await section.getByRole('button', { name: 'Turn off the calendar' }).click();
    await expect(page.getByText('Calendar turned off.')).toBeVisible();
    await expect(section.getByRole('button', { name: 'Create a calendar address' })).toBeVisible();
    expect((await page.request.get(second)).status()).toBe(404);
  });

  test('a participant copies the address of their calendar, or follows its links without scripts', async ({
    page,
    openBrowser,
  }) => {
    const cohort = await publishCohort(page);
    const { link } = await addPerson(page, cohort);
    const reader = await openBrowser({ permissions: ['clipboard-read', 'clipboard-write'] });
    await reader.goto(link);
    await reader.getByText('Add to your calendar').click();
    await reader.getByRole('button', { name: 'Copy' }).click();
    await expect(reader.getByRole('button', { name: 'Copied' })).toBeVisible();
    const copied = await reader.evaluate(() => window.navigator.clipboard.readText());
    const answer = await reader.request.get(copied);
    expect(answer.headers()['content-type']).toBe('text/calendar; charset=utf-8');
    expect(await answer.text()).toContain('SUMMARY:Winter');

    const quiet = await openBrowser({ javaScriptEnabled: false });
    await quiet.goto(link);
    await quiet.getByText('Add to your calendar').click();
    const subscribe = quiet.getByRole('link', { name: 'Subscribe' });
    await expect(subscribe).toHaveAttribute('href', copied.replace(/^https?/, 'webcal'));
    const [file] = await Promise.all([
      quiet.waitForEvent('download'),
      quiet.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('lectern.ics');
  });

  test('a click on Copy counts before the script of the button is there', async ({
    page,
    openBrowser,
  }) => {
    const { link } = await addPerson(page, await publishCohort(page));
    const reader = await openBrowser({ permissions: ['clipboard-read', 'clipboard-write'] });
    const release = await holdScripts(reader, '**/assets/copy-button-*.js');
    await reader.goto(link);
    await reader.getByText('Add to your calendar').click();
    await reader.getByRole('button', { name: 'Copy' }).click();
    release();

    await expect(reader.getByRole('button', { name: 'Copied' })).toBeVisible();
  });

  test('everyone downloads the dates of a cohort from its page', async ({ page, openBrowser }) => {
    const { public_url: url } = await publishCohort(page);
    const reader = await openBrowser({ javaScriptEnabled: false });
    await reader.goto(url);
    const [file] = await Promise.all([
      reader.waitForEvent('download'),
      reader.getByRole('link', { name: 'Download the dates' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`${url.split('/').at(-1)}.ics`);
  });
});
