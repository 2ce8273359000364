import 'server-only';
import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';

export type DownloadTexts = ReturnType<typeof downloadTexts>;

/** What a download of lessons says, in the language of its page. */
export function downloadTexts(i18n: I18n) {
  // Filled in by the browser.
  const [done, all, name] = ['{done}', '{all}', '{name}'];
  return {
    download: i18n._(msg`Download`),
    retry: i18n._(msg`Try again`),
    cancel: i18n._(msg`Cancel`),
    leaveOut: i18n._(msg`Download without this file`),
    progress: i18n._(msg`Progress of the download`),
    preparing: i18n._(msg`Preparing…`),
    lessons: i18n._(msg`Lesson ${done} of ${all}`),
    files: i18n._(msg`${name} (${done} of ${all} in total)`),
    saved: i18n._(msg`Lessons downloaded.`),
    failedAt: i18n._(msg`“${name}” couldn’t be downloaded.`),
    notSaved: i18n._(
      msg`Your browser couldn’t save the file. Check that there is room on your disk.`,
    ),
    inMemory: i18n._(
      msg`This browser has to load everything before it can save the zip. If your lessons have videos, use Chrome or Edge on a computer.`,
    ),
    readme: [
      i18n._(msg`Course lessons downloaded from Lectern.`),
      i18n._(
        msg`Each folder is a section, and each .md file is a lesson in its latest version. Images and files are in the folder “files”.`,
      ),
      i18n._(
        msg`To bring the lessons into a course, open Lessons, choose “Import lessons” and select this zip.`,
      ),
    ].join('\n\n'),
  };
}
