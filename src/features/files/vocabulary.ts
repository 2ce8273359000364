import { ownRows } from '#db/personal-data.ts';
import { files, lessonFiles } from '#db/schema/files.ts';
import { msg } from '#i18n/msg.ts';
import { type Errors, type LimitRates, type ValidationTexts, withStatus } from '#lib/vocabulary.ts';

export const errors = {
  files_off: {
    status: 503,
    text: msg`File uploads aren’t set up on this site. Please contact its operator.`,
  },
  files_unavailable: {
    status: 503,
    text: msg`We couldn’t reach the file storage. Please try again in a moment.`,
  },
  file_too_large: { status: 413, text: msg`This file is too large. It can be up to {limit} MB.` },
  ...withStatus(422, {
    file_type_mismatch: msg`The contents of this file don’t match its type. Check that it opens on your computer, then try again.`,
    part_size_wrong: msg`This part of the file has the wrong size.`,
    storage_full: msg`You’re out of space: your files can take up {limit} MB in total. Delete some that you don’t need.`,
    too_many_files: msg`A course can have up to {limit} files. Delete some that you don’t need.`,
    upload_incomplete: msg`Some of this file hasn’t arrived. Please upload it again.`,
  }),
  length_required: { status: 411, text: msg`This request needs a Content-Length header.` },
} satisfies Errors;

export const validation = {
  file_name_required: msg`This file has no name`,
  file_name_too_long: msg`The name of a file can have up to 120 characters`,
  file_name_characters: msg`Please use only printable characters in the name of a file`,
  file_type_unknown: msg`Lessons can have images, audio, videos, PDFs, Office documents, text and zips, but no files of this type`,
  file_video_unknown: msg`Not every browser can play this video. Save it as MP4, then add it again.`,
  file_audio_unknown: msg`Not every browser can play this recording. Save it as MP3, then add it again.`,
  file_captions_unknown: msg`Captions must be in WebVTT format. Save them as a .vtt file, then add them again.`,
  file_empty: msg`This file is empty`,
} satisfies ValidationTexts;

export const limits = {
  files_per_user: ['200/h', '1000/d'],
  file_parts_per_user: ['400/h'],
  pictures_per_user: ['20/h', '60/d'],
} as const satisfies LimitRates;

export const events = { files_cleaned_up: true, file_unavailable: true };

export const exported = {
  // Not where their bytes are: the API has an address for each.
  files: ownRows(files, { except: ['object_key', 'upload_id', 'parts', 'uses'] }),
  lesson_files: ownRows(lessonFiles),
};

/** How large each part of an upload is, but for the last: R2 takes none below 5 MiB. */
export const partSize = 8 * 1024 * 1024;

/** How large a picture of a course or an instructor can be, in MB of 1,000,000 bytes. */
export const largestPictureMb = 2;

/** How long a new file stays without a lesson, in days: one may be about to be saved. */
export const unusedDays = 7;
