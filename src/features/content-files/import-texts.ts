import 'server-only';
import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ImportProblem } from './import-limits.ts';
import type { ImportPlan } from './plan-import.ts';

export type ImportTexts = ReturnType<typeof importTexts>;

/** What an import says, in the language of its page. */
export function importTexts(i18n: I18n) {
  // Filled in by the browser.
  const [name, done, all] = ['{name}', '{done}', '{all}'];
  return {
    choose: i18n._(msg`Choose files`),
    chooseHint: i18n._(
      msg`Markdown files (.md), or a zip: one downloaded from Lectern, or a Notion export as “Markdown & CSV”. Up to 2 GB.`,
    ),
    reading: i18n._(msg`Reading text ${done} of ${all}`),
    opening: i18n._(msg`Opening the files…`),
    cancel: i18n._(msg`Cancel`),
    preview: i18n._(msg`What will be imported`),
    drafts: i18n._(
      msg`All lessons come in as drafts, after the lessons that are already there. Nothing is changed until you choose Import.`,
    ),
    untitled: i18n._(msg`Without a section title`),
    files: i18n._(msg`Images and files`),
    file: i18n._(msg`${name} (${all})`),
    leftOut: i18n._(msg`Left out`),
    reasons: {
      unused: i18n._(msg`no lesson has it`),
      type: i18n._(msg`lessons can’t have files of this type`),
      not_text: i18n._(msg`this isn’t text in UTF-8 or UTF-16`),
      list: i18n._(msg`it only lists other pages`),
    } satisfies Record<ImportPlan['leftOut'][number]['reason'], string>,
    import: i18n._(msg`Import`),
    uploading: i18n._(msg`Uploading “${name}”: ${done} of ${all}`),
    adding: i18n._(msg`Adding the lessons…`),
    progress: i18n._(msg`Progress of the import`),
    stopped: i18n._(msg`Import canceled. No lessons were added.`),
    failedAt: i18n._(msg`“${name}” couldn’t be uploaded.`),
    unreadable: i18n._(msg`Your browser can’t read this image.`),
    uploaded: i18n._(
      msg`Uploaded so far: ${done} of ${all} images and files. They won’t be uploaded again when you retry. No lessons were added.`,
    ),
    retry: i18n._(msg`Try again`),
    without: i18n._(msg`Import without the remaining files`),
    imported: i18n._(msg`Lessons imported.`),
    problems: {
      too_large: i18n._(msg`“${name}” is too large. Choose fewer files, or import them in parts.`),
      too_many_files: i18n._(
        msg`These are too many files: up to 5,000 can be imported at once. Import them in parts.`,
      ),
      too_much_text: i18n._(
        msg`This is too much text to import at once. Import it in parts, such as section by section.`,
      ),
      bomb: i18n._(
        msg`“${name}” becomes much larger when it is unpacked than it should, so we stopped.`,
      ),
      broken: i18n._(
        msg`“${name}” can’t be opened: it’s damaged or incomplete. Download or export it again.`,
      ),
      encrypted: i18n._(msg`“${name}” is encrypted. Make a zip without a password.`),
      method: i18n._(msg`“${name}” is packed in a way we can’t read. Make a normal zip.`),
      nested: i18n._(
        msg`“${name}” contains zips in zips. Unpack them, and choose the files with the lessons.`,
      ),
      unsafe_name: i18n._(
        msg`“${name}” contains files with names that lead to other folders, so we didn’t open it.`,
      ),
      no_lessons: i18n._(
        msg`There are no Markdown files to import. In Notion, export as “Markdown & CSV”.`,
      ),
    } satisfies Record<ImportProblem, string>,
  };
}
