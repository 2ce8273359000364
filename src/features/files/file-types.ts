/** What becomes of a file in a lesson; its size is limited by it. */
export type FileGroup = 'image' | 'audio' | 'video' | 'captions' | 'document';

type FileType = {
  group: FileGroup;
  /** The endings of its names; the first one is what a browser is told to choose. */
  endings: readonly string[];
};

/**
 * The types of files that a course can have, by their content types. Neither SVG nor HTML, because
 * both can have scripts.
 */
export const fileTypes: Record<string, FileType> = {
  'image/png': { group: 'image', endings: ['png'] },
  'image/jpeg': { group: 'image', endings: ['jpg', 'jpeg'] },
  'image/webp': { group: 'image', endings: ['webp'] },
  'image/gif': { group: 'image', endings: ['gif'] },
  'image/avif': { group: 'image', endings: ['avif'] },
  'audio/mpeg': { group: 'audio', endings: ['mp3'] },
  'audio/mp4': { group: 'audio', endings: ['m4a'] },
  'video/mp4': { group: 'video', endings: ['mp4'] },
  'video/webm': { group: 'video', endings: ['webm'] },
  'text/vtt': { group: 'captions', endings: ['vtt'] },
  'application/pdf': { group: 'document', endings: ['pdf'] },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': {
    group: 'document',
    endings: ['docx'],
  },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {
    group: 'document',
    endings: ['xlsx'],
  },
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': {
    group: 'document',
    endings: ['pptx'],
  },
  'application/vnd.oasis.opendocument.text': { group: 'document', endings: ['odt'] },
  'application/vnd.oasis.opendocument.spreadsheet': { group: 'document', endings: ['ods'] },
  'application/vnd.oasis.opendocument.presentation': { group: 'document', endings: ['odp'] },
  'text/csv': { group: 'document', endings: ['csv'] },
  'text/plain': { group: 'document', endings: ['txt'] },
  'text/markdown': { group: 'document', endings: ['md'] },
  'application/zip': { group: 'document', endings: ['zip'] },
};

/** The content type that the ending of a name says; null for what a course can't have. */
export function typeOfName(name: string): string | null {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const found = Object.entries(fileTypes).find(([, { endings }]) => endings.includes(ending));
  return found?.[0] ?? null;
}

/** Types that a course can't have, by what says as what else such a file can be saved. */
const otherTypes = [
  ['file_video_unknown', /\.(mov|qt|m4v|avi|mkv|wmv|mpe?g|3gp)$/i],
  ['file_audio_unknown', /\.(wav|aiff?|aac|flac|og[ga]|opus|wma|amr|caf)$/i],
  ['file_captions_unknown', /\.(srt|sbv|sub|ass|ssa|ttml)$/i],
] as const;

/** What to say of a name whose type a course can't have. */
export function refusalOfName(name: string) {
  return otherTypes.find(([, ending]) => ending.test(name))?.[0] ?? 'file_type_unknown';
}

/** The group of a content type that a course can have; null for others. */
export function groupOf(contentType: string): FileGroup | null {
  return Object.hasOwn(fileTypes, contentType) ? (fileTypes[contentType]?.group ?? null) : null;
}
