import { expect, test } from '@playwright/test';
import { inspect } from './inspector.ts';

test.use({ viewport: { width: 400, height: 300 } });

test('a partly hidden text is found, unless its full text is available elsewhere', async ({
  page,
}) => {
  const ellipsis = 'width: 60px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis';
  await page.setContent(`
    <p style="${ellipsis}">an ellipsis</p>
    <p style="${ellipsis}"><span>an ellipsis around it</span></p>
    <p style="${ellipsis}" title="told by a title">told by a title</p>
    <p style="${ellipsis}" data-tip="told by a tip">told by a tip</p>
    <p style="height: 1.2em; overflow: hidden; width: 60px">in two lines</p>
    <p style="height: 1.2em; overflow: auto; width: 60px">to be scrolled to</p>
    <p style="position: absolute; width: 1px; height: 1px; overflow: hidden">for listeners</p>
    <p style="width: 200px; overflow: hidden">whole</p>
    <input style="width: 60px" placeholder="a long placeholder">
    <input placeholder="short">
  `);
  const inspector = await inspect(page);

  expect(await inspector.evaluate((it) => it.cutTexts())).toEqual([
    'an ellipsis',
    'an ellipsis around it',
    'in two lines',
    'a long placeholder',
  ]);
});

test('content outside the window and horizontal scrolling are found', async ({ page }) => {
  await page.setContent(`
    <p style="position: relative; left: -40px">too far left</p>
    <div id="scroller" style="width: 100px; overflow: auto"><p style="width: 600px">scrolls</p></div>
    <p>inside</p>
  `);
  const inspector = await inspect(page);

  expect(await inspector.evaluate((it) => it.tooWide())).toEqual([
    'leaves the window: too far left',
    expect.stringMatching(/^scrolls sideways: <div id="scroller"/),
  ]);
});

test('unreachable elements and overlapping elements are found', async ({ page }) => {
  await page.setContent(`
    <button>one</button><button style="margin-left: -12px">two</button>
    <p><a href="/">covered</a></p>
    <div style="position: relative; top: -2.5em; width: 100px; height: 2em; background: white"></div>
    <div style="position: fixed; top: 290px"><p>above</p><p style="margin-top: 60px">below</p></div>
    <label><input type="radio" style="position: absolute; opacity: 0"> a choice</label>
    <div style="height: 2em; overflow: auto"><button>a</button><br><button>list</button></div>
    <button>under the list</button>
    <div style="height: 2000px"></div>
    <button>far down</button>
  `);
  const inspector = await inspect(page);

  expect(await inspector.evaluate((it) => it.overlaps())).toEqual([
    'one lies on the other: button “one”, button “two”',
    'one lies on the other: button “one”, two',
    'one lies on the other: button “two”, one',
  ]);
  expect(await inspector.evaluate((it) => it.unreachable())).toEqual([
    'out of reach: a “covered”',
    'out of reach: above',
    'out of reach: below',
  ]);
});

test('of open layers only the topmost counts, and of a document all its text', async ({ page }) => {
  await page.setContent(`
    <title>title</title>
    <button aria-label="name" popovertarget="menu">text</button>
    <img alt="picture"><time>yesterday</time>
    <div id="menu" popover="auto"><a href="/" data-tip="tip">entry</a></div>
  `);
  const inspector = await inspect(page);
  expect(await inspector.evaluate((it) => it.items())).toEqual(['text', 'button “name”']);
  await page.locator('button').click();

  expect(await inspector.evaluate((it) => it.items())).toEqual(['entry', 'a “entry”']);
  expect(await inspector.evaluate((it) => it.words())).toEqual([
    'title',
    'text',
    'entry',
    'picture',
    'name',
    'tip',
  ]);
});
