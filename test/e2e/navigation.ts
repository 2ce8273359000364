import type { Page } from '@playwright/test';

/** A link of the sidebar. */
export function placeOf(page: Page, name: string) {
  return page.getByRole('complementary').getByRole('link', { name, exact: true });
}

export function title(page: Page) {
  return page.getByRole('heading', { level: 1 });
}

/** Holds the data of a page back until the function that it returns is called. */
export async function holdPage(page: Page, name: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/RSC/R/${name}.txt*`, async (route) => {
    await released;
    // The request may have been aborted by then.
    await route.continue().catch(() => {});
  });
  return release;
}
