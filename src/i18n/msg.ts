import type { MessageDescriptor } from '@lingui/core';

/**
 * Lingui's `msg` for vocabularies, which plain Node imports too, for the names of limits. The build
 * replaces it (`macro` in lingui.config.ts); Node gets the untranslated text.
 */
export function msg([message = '']: TemplateStringsArray): MessageDescriptor {
  return { id: message, message };
}
