import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** All texts of the editor of a lesson, in the language of its page. */
export function editorTexts(i18n: I18n) {
  const provider = '{provider}';
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
      codeBlock: i18n._(msg`Code block`),
    },
    bold: i18n._(msg`Bold`),
    italic: i18n._(msg`Italic`),
    code: i18n._(msg`Inline code`),
    link: i18n._(msg`Link`),
    bullets: i18n._(msg`Bullet list`),
    numbers: i18n._(msg`Numbered list`),
    quote: i18n._(msg`Quote`),
    rule: i18n._(msg`Divider`),
    outdent: i18n._(msg`Decrease indent`),
    indent: i18n._(msg`Increase indent`),
    image: i18n._(msg`Image`),
    video: i18n._(msg`Video`),
    file: i18n._(msg`File`),
    table: i18n._(msg`Table`),
    undo: i18n._(msg`Undo`),
    redo: i18n._(msg`Redo`),
    soon: i18n._(msg`Images and files are coming soon. You can add videos by link.`),
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
      addressHint: i18n._(msg`From YouTube, Vimeo or Loom`),
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
