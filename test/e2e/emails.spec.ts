import { alternate } from '../every-case.ts';
import { expectAccessible, themes } from './accessibility.ts';
import { emailViews } from './emails.ts';
import { inspect } from './inspector.ts';
import { languages } from './people.ts';
import { expect, test } from './support.ts';
import { inWindows } from './views.ts';

/** An email is part of a mail program's page, which has the landmarks. */
const ofPages = ['landmark-one-main', 'region'];

const phone = { width: 320, height: 568 };

const sizes = [phone, { width: 600, height: 800 }, { width: 1280, height: 800 }];

for (const [index, view] of emailViews.entries()) {
  test(`${view.name} is accessible, fits and fetches nothing`, async ({ openBrowser }) => {
    const requested: string[] = [];
    const openWatched = async () => {
      const page = await openBrowser();
      page.on('request', (request) => requested.push(request.url()));
      return page;
    };
    for (const language of alternate(languages, index)) {
      await inWindows(openWatched, view, { language, sizes }, async (page, size) => {
        const look = `${language}, ${size.width} px`;
        if (size === phone) {
          await expectAccessible(page, {
            name: look,
            themes: alternate(themes, index / 2),
            except: ofPages,
          });
        }
        const inspector = await inspect(page);
        expect(await inspector.evaluate((it) => it.tooWide()), look).toEqual([]);
        expect(await inspector.evaluate((it) => it.cutTexts()), look).toEqual([]);
      });
    }
    expect(requested).toEqual([]);
  });
}
