import { expect, type Page } from '@playwright/test';
import { signedInAs } from './people.ts';

/** A page, or an overlay on one, in a state that people see. */
export type View = Options & {
  /** Names the tests and the screenshots. */
  name: string;
  /** Views of one group need the same users and data, and are looked at by one test. */
  group: string;
  /** As in `pageList`, perhaps with a query; `[name]` stands for what was made under that name. */
  path: string;
  /**
   * Brings a browser, with language and width set, to the view. Does not look for texts, so that it
   * works in every language.
   */
  open: (page: Page) => Promise<void>;
};

type Options = {
  /** Covers a page that has its own view. */
  isOverlay?: boolean;
  /** Open while the pointer rests on an element, which moves when the window changes. */
  followsPointer?: boolean;
  /** Does not exist in wider windows. */
  maxWidth?: number;
  /** `npm test` looks at it: for its page instead of the first view, or for its kind of overlay. */
  isExample?: boolean;
};

/** What was made for views, by the names in their paths. */
type Made = Record<string, string>;

type Steps = {
  /** The page says that it does not exist, or that it failed. */
  isFailure?: boolean;
  /** Ends the session before the page is opened. */
  isLoggedOut?: boolean;
  before?: (page: Page, made: Made) => Promise<void>;
  /** A request that the page sends when it opens, and whose answer it needs. */
  asks?: RegExp;
  /** Controls that are pressed one after the other. */
  presses?: string[];
  act?: (page: Page, made: Made) => Promise<void>;
  /** A selector of what has to be visible in the end. */
  until?: string;
};

type Describe = (name: string, path: string, options?: Options & Steps) => View;

/**
 * Describes views of one group, with what they show.
 *
 * @param make called once for the group, signed in as a new user; null without an account
 */
export function viewsOf(group: string, make: ((page: Page) => Promise<Made>) | null): Describe {
  return (
    name,
    path,
    { isFailure, isLoggedOut, before, asks, presses, act, until, ...rest } = {},
  ) => ({
    ...rest,
    name,
    group,
    path,
    open: async (page) => {
      const made = make === null ? {} : await signedInAs(page, group, () => make(page));
      if (isLoggedOut) {
        await page.context().clearCookies({ name: /^(session|csrftoken)$/ });
      }
      await before?.(page, made);
      const answered = asks && page.waitForResponse(asks);
      const answer = await page.goto(path.replace(/\[(\w+)\]/g, (_, of: string) => made[of] ?? ''));
      expect(answer?.ok(), name).toBe(isFailure !== true);
      await answered;
      for (const selector of presses ?? []) {
        await press(page, selector);
      }
      await act?.(page, made);
      if (until !== undefined) {
        await expect(page.locator(until).first()).toBeVisible();
      }
      if (!rest.followsPointer) {
        // It would rest on something, and show its tooltip.
        await page.mouse.move(0, 0);
      }
    },
  });
}

/** The selector of the button that opens a dialog. */
export function opener(dialog: string): string {
  return `[command="show-modal"][commandfor="${dialog}"]`;
}

/** Presses a control, in the phone's sheet if it is there, and waits for what it opens. */
export async function press(page: Page, selector: string): Promise<void> {
  const control = page.locator(selector).filter({ visible: true }).first();
  const sheetButton = page.locator('[popovertarget="sidebar"]').filter({ visible: true }).first();
  await expect(control.or(sheetButton).first()).toBeVisible();
  if (!(await control.isVisible()) && (await page.locator('.sidebar').locator(selector).count())) {
    await sheetButton.click();
  }
  await expect(control).toBeVisible();
  const target =
    (await control.getAttribute('popovertarget')) ?? (await control.getAttribute('commandfor'));
  await control.click();
  if (target !== null) {
    await expect(page.locator(`[id="${target}"]`)).toBeVisible();
  }
}

/** Sends a form as it is, with mistakes. */
export function makeMistakes(form: string) {
  return async (page: Page): Promise<void> => {
    await page.locator(form).locator('button[type="submit"]').first().click();
    await expect(page.locator('[aria-invalid="true"]').first()).toBeAttached();
  };
}
