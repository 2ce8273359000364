import type { MessageDescriptor } from '@lingui/core';

/**
 * Lingui's `msg` for vocabularies, which plain Node reads too, for the names of limits. The build
 * replaces it (`macro` in lingui.config.ts); in Node, where nothing is translated, a text is itself.
 */
export function msg([message = '']: TemplateStringsArray): MessageDescriptor {
  return { id: message, message };
}
