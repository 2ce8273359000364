import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { errors } from '#features/files/vocabulary.ts';

/** All texts of the editor of a lesson, in the language of its page. */
export function editorTexts(i18n: I18n, hasFiles: boolean) {
  // Filled in by the browser.
  const [provider, name, sent, size] = ['{provider}', '{name}', '{sent}', '{size}'];
  return {
    label: i18n._(msg`Text of the lesson`),
    placeholder: i18n._(msg`Write here, or paste from Google Docs, Notion or Word.`),
    failed: i18n._(msg`The editor couldn’t be loaded, so the text can’t be changed right now.`),
    retry: i18n._(msg`Try again`),
    toolbar: i18n._(msg`Formatting`),
    style: i18n._(msg`Text style`),
    styles: {
      text: i18n._(msg`Text`),
      heading: i18n._(msg`Heading`),
      subheading: i18n._(msg`Subheading`),
      quote: i18n._(msg`Quote`),
      codeBlock: i18n._(msg`Code block`),
    },
    bold: i18n._(msg`Bold`),
    italic: i18n._(msg`Italic`),
    strike: i18n._(msg`Strikethrough`),
    code: i18n._(msg`Inline code`),
    link: i18n._(msg`Link`),
    bullets: i18n._(msg`Bullet list`),
    numbers: i18n._(msg`Numbered list`),
    rule: i18n._(msg`Divider`),
    outdent: i18n._(msg`Decrease indent`),
    indent: i18n._(msg`Increase indent`),
    image: i18n._(msg`Image`),
    video: i18n._(msg`Video`),
    file: i18n._(msg`File`),
    table: i18n._(msg`Table`),
    undo: i18n._(msg`Undo`),
    redo: i18n._(msg`Redo`),
    tableMenu: {
      rowBefore: i18n._(msg`Add row above`),
      rowAfter: i18n._(msg`Add row below`),
      columnBefore: i18n._(msg`Add column before`),
      columnAfter: i18n._(msg`Add column after`),
      deleteRow: i18n._(msg`Delete row`),
      deleteColumn: i18n._(msg`Delete column`),
      deleteTable: i18n._(msg`Delete table`),
    },
    cancel: i18n._(msg`Cancel`),
    files: {
      /** Why there are none; null where there are. */
      disabledReason: hasFiles ? null : i18n._(errors.files_off.text),
      uploads: i18n._(msg`Files being uploaded`),
      uploading: i18n._(msg`Uploading ${name}`),
      failed: i18n._(msg`“${name}” couldn’t be uploaded.`),
      waiting: i18n._(msg({ message: 'Waiting', context: 'upload' })),
      sent: i18n._(msg`${sent} of ${size}`),
      cancel: i18n._(msg`Cancel the upload of ${name}`),
      retry: i18n._(msg`Try again`),
      unreadable: i18n._(
        msg`Your browser can’t open this image. Save it as JPEG or PNG, then add it again.`,
      ),
      formatted: i18n._(
        msg`Your Markdown has been formatted. Undo to get back the text you pasted.`,
      ),
      pasted: i18n._(
        msg`The text was pasted without its images. Copy each image by itself, or add it with the Image button.`,
      ),
      describe: i18n._(msg`Describe the image`),
      undescribed: i18n._(msg`No description: screen readers skip this image.`),
      deleteImage: i18n._(msg`Delete image`),
      deleteFile: i18n._(msg`Delete file from the text`),
      missing: i18n._(msg`This file is no longer in this course, so participants don’t see it.`),
      unavailable: i18n._(msg`This file couldn’t be loaded. Reload the page to see it.`),
      captions: i18n._(msg`Captions of the video with the same name`),
      alt: i18n._(msg`Description`),
      altHint: i18n._(
        msg`What the image shows, for people who can’t see it. Leave empty if it’s decorative.`,
      ),
      saveAlt: i18n._(msg`Save description`),
    },
    linkDialog: {
      title: i18n._(msg`Link`),
      address: i18n._(msg`Link`),
      addressHint: i18n._(msg`A web page or an email address`),
      text: i18n._(msg`Text`),
      invalid: i18n._(msg`Links can lead to web pages (https) and to email addresses`),
      remove: i18n._(msg`Remove link`),
      submit: i18n._(msg`Apply link`),
    },
    videoDialog: {
      title: i18n._(msg`Video`),
      address: i18n._(msg`Link to the video`),
      addressHint: i18n._(
        msg`From YouTube, Vimeo or Loom. To upload your own video, use the File button.`,
      ),
      name: i18n._(msg`Title (optional)`),
      nameHint: i18n._(msg`Shown on the cover, before the video plays`),
      invalid: i18n._(msg`This isn’t a link to a video on YouTube, Vimeo or Loom`),
      add: i18n._(msg`Add video`),
      save: i18n._(msg`Save video`),
    },
    /** With `{provider}` in the place of its name. */
    videoOn: i18n._(msg`Video on ${provider}`),
    editVideo: i18n._(msg`Edit video`),
    deleteVideo: i18n._(msg`Delete video`),
  };
}

export type EditorTexts = ReturnType<typeof editorTexts>;
