import { expect, type Page } from '@playwright/test';
import { signedInAs } from './people.ts';
import { untilReady } from './support.ts';

/** A page in a state that people see, or an overlay that no button of a page opens by itself. */
export type View = Options & {
  /** Names the tests and the screenshots. */
  name: string;
  /** Views of one group need the same users and data. */
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
  /** Shows what only this browser knows, which moves the page when it comes. */
  movesLate?: boolean;
  /** Open while the pointer rests on an element, which moves when the window changes. */
  followsPointer?: boolean;
  /** Does not exist in wider windows, or in narrower ones. */
  maxWidth?: number;
  minWidth?: number;
  /** `npm test` looks at it: for its page instead of the first view, or for its kind of overlay. */
  isExample?: boolean;
};

/** What was made for views, by the names in their paths. */
export type Made = Record<string, string>;

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
export function viewsOf(
  group: string,
  make: ((page: Page) => Promise<Made> | Promise<void>) | null,
): Describe {
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
      const made: Made =
        make === null ? {} : await signedInAs(page, group, async () => (await make(page)) ?? {});
      if (isLoggedOut) {
        await page.context().clearCookies({ name: /^(session|csrftoken)$/ });
      }
      await before?.(page, made);
      const answered = asks && page.waitForResponse(asks);
      const answer = await page.goto(path.replace(/\[(\w+)\]/g, (_, of: string) => made[of] ?? ''));
      expect(answer?.ok(), name).toBe(isFailure !== true);
      await answered;
      await pressAll(page, presses ?? []);
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

/** Presses controls one after the other. Some open nothing, or too little, before scripts are there. */
export async function pressAll(page: Page, selectors: string[]): Promise<void> {
  if (selectors.length > 0) {
    await untilReady(page);
  }
  for (const selector of selectors) {
    await press(page, selector);
  }
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

/** Shows a dialog that a script opens, when something has happened that takes long. */
export function show(dialog: string) {
  return (page: Page): Promise<void> =>
    // The selector finds dialogs.
    page.locator(dialog).evaluate((element) => (element as HTMLDialogElement).showModal());
}

/** Fills in fields of a form, by their names, and sends it. */
export function send(form: string, fields: Made = {}) {
  return async (page: Page): Promise<void> => {
    await untilReady(page);
    for (const [name, value] of Object.entries(fields)) {
      await page.locator(form).locator(`[name="${name}"]`).fill(value);
    }
    await page.locator(form).locator('button[type="submit"]').first().click();
  };
}

/** The selector of a field with a mistake. */
export const mistake = '[aria-invalid="true"]';
