import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { LessonVersion } from './schema.ts';

/** Less than this part of the words was left after it. */
const largeCut = 0.5;

/**
 * What a version is to the instructor.
 *
 * @param wordsAfter how many words the lesson had next
 * @param isFirst whether nothing was kept before it
 */
export function versionWords(
  i18n: I18n,
  { reason, words }: Pick<LessonVersion, 'reason' | 'words'>,
  wordsAfter: number,
  isFirst: boolean,
): string {
  const saved =
    wordsAfter < words * largeCut
      ? msg`Before a large cut`
      : isFirst
        ? msg`First draft`
        : msg`Earlier text`;
  const texts = {
    saved,
    published: msg({ message: 'Published', context: 'lesson' }),
    conflict: msg`Kept from another tab`,
    restored: msg`Before restoring`,
  };
  return i18n._(texts[reason]);
}
