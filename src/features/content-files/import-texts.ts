import 'server-only';
import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { errors } from '#features/files/vocabulary.ts';
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
    reading: i18n._(msg`Reading file ${done} of ${all}`),
    opening: i18n._(msg`Opening the files…`),
    cancel: i18n._(msg`Cancel`),
    preview: i18n._(msg`What will be imported`),
    drafts: i18n._(
      msg`Lessons are added as drafts, after your existing ones. Nothing changes until you choose “Import lessons”.`,
    ),
    guessed: i18n._(msg`Not saved as UTF-8, so check the accents after the import: ${name}`),
    untitled: i18n._(msg`Without a section title`),
    files: i18n._(msg`Images and files`),
    file: i18n._(msg`${name} (${all})`),
    tooLittleRoom: i18n._(
      msg`These files take up ${all}, and you have ${done} left. Images are made smaller when they’re uploaded. Delete files that you don’t need, or import in parts.`,
    ),
    leftOut: i18n._(msg`Left out`),
    reasons: {
      unused: i18n._(msg`not used in any lesson`),
      type: i18n._(msg`lessons can’t have files of this type`),
      svg: i18n._(msg`lessons can’t have SVG images: save this one as a PNG`),
      not_text: i18n._(msg`this isn’t a text file`),
      list: i18n._(msg`it only lists other pages`),
      missing: i18n._(msg`this image isn’t among the files, so only its description is imported`),
      missing_link: i18n._(
        msg`this link doesn’t lead to an imported file or lesson, so only its text is imported`,
      ),
      player: i18n._(
        msg`only YouTube, Vimeo and Loom videos can be embedded, so this one is imported as a link`,
      ),
    } satisfies Record<ImportPlan['leftOut'][number]['reason'], string>,
    filesOff: i18n._(errors.files_off.text),
    yourChoice: i18n._(msg({ message: 'you left it out', context: 'file of an import' })),
    import: i18n._(msg({ message: 'Import lessons', context: 'button' })),
    uploading: i18n._(msg`Uploading “${name}” (${done} of ${all} in total)`),
    adding: i18n._(msg`Adding the lessons…`),
    progress: i18n._(msg`Progress of the import`),
    stopped: i18n._(msg`Import canceled. No lessons were added.`),
    failedAt: i18n._(msg`“${name}” couldn’t be uploaded.`),
    unreadable: i18n._(msg`Your browser can’t open this image.`),
    uploaded: i18n._(
      msg`${done} of ${all} images and files are uploaded. Trying again won’t upload them or add lessons twice.`,
    ),
    retry: i18n._(msg`Try again`),
    withoutThis: i18n._(msg`Import without this file`),
    withoutRest: i18n._(msg`Import without the remaining files`),
    imported: i18n._(msg`Lessons imported.`),
    problems: {
      too_large: i18n._(msg`“${name}” is too large to import. Split it or leave it out.`),
      too_large_together: i18n._(msg`Together, these files are over 2 GB. Import them in parts.`),
      same_names: i18n._(
        msg`“${name}” contains files with the same names as the others. Import it separately.`,
      ),
      too_many_files: i18n._(
        msg`That’s too many files: you can import up to 5,000 at once. Import them in parts.`,
      ),
      too_much_text: i18n._(
        msg`That’s too much text to import at once. Import it in parts, for example section by section.`,
      ),
      bomb: i18n._(
        msg`“${name}” unpacks to much more than it should, so we stopped. Make the zip again.`,
      ),
      broken: i18n._(
        msg`“${name}” can’t be opened: it’s damaged or incomplete. Download or export it again.`,
      ),
      encrypted: i18n._(msg`“${name}” is encrypted. Make a zip without a password.`),
      unsupported_compression: i18n._(
        msg`“${name}” uses a compression we can’t read. Make a standard zip.`,
      ),
      nested: i18n._(
        msg`“${name}” contains zips inside zips. Unpack them, then choose the lesson files.`,
      ),
      unsafe_name: i18n._(
        msg`“${name}” contains unsafe file paths, so we didn’t open it. Make a new zip of your lessons.`,
      ),
      no_lessons: i18n._(
        msg`There are no Markdown files to import. In Notion, export as “Markdown & CSV”.`,
      ),
    } satisfies Record<ImportProblem, string>,
  };
}
