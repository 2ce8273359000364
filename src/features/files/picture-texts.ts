import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Context } from '#context.ts';
import { errors } from './vocabulary.ts';

/** What the form for a picture says, but for what depends on what it is of. */
export function pictureTexts(i18n: I18n) {
  return {
    drop: i18n._(msg`Or drop one here. PNG, JPEG or WebP.`),
    removing: i18n._(msg`Removing…`),
    preview: i18n._(msg`Preview`),
    sending: i18n._(msg`Uploading…`),
    cancel: i18n._(msg`Cancel`),
    unreadable: i18n._(
      msg`Your browser can’t open this picture. Please choose a PNG, JPEG or WebP file.`,
    ),
  };
}

/** Why no picture can be chosen; null if one can. */
export function whyNoPictures({ files }: Context, i18n: I18n): string | null {
  return files === null ? i18n._(errors.files_off.text) : null;
}
