import { withStorage } from '#lib/browser-storage.ts';

/** What this browser keeps of a lesson until the server has it, for the user who typed it. */
export type KeptText<Content> = {
  viewerId: string;
  /** The version of the server that it was made from. */
  version: number;
  /** When it was typed last, in milliseconds. */
  at: number;
  words: number;
  content: Content;
};

/** The dialog that asks before a logout deletes such texts; its answer `delete` does so. */
export const keptTextsDialogId = 'kept-texts';

const prefix = 'lesson:';
const lifetimeMs = 30 * 24 * 60 * 60 * 1000;

/** A new key for each view of a page, so that two tabs never overwrite each other's texts. */
export function keptTextKey(lessonId: string): string {
  return `${prefix}${lessonId}:${crypto.randomUUID()}`;
}

/** @returns whether it is kept: storage may be full or switched off */
export function keepText<Content>(key: string, text: KeptText<Content>): boolean {
  return (
    withStorage('localStorage', (storage) => {
      storage.setItem(key, JSON.stringify(text));
      return true;
    }) ?? false
  );
}

/** Deletes a text that the server has, or that no one wants. */
export function forgetText(key: string): void {
  withStorage('localStorage', (storage) => storage.removeItem(key));
}

/**
 * The texts of a user that this browser still keeps, the latest first. Also deletes texts that are
 * too old or can't be read, of any user.
 *
 * @param lessonId of all lessons by default
 */
export function keptTexts<Content>(
  viewerId: string,
  lessonId = '',
): (KeptText<Content> & { key: string })[] {
  const keys =
    withStorage('localStorage', (storage) =>
      Object.keys(storage).filter((key) => key.startsWith(prefix)),
    ) ?? [];
  return keys
    .flatMap((key) => {
      const text = read<Content>(key);
      if (text === null || Date.now() - text.at > lifetimeMs) {
        forgetText(key);
        return [];
      }
      const isAsked = text.viewerId === viewerId && key.startsWith(`${prefix}${lessonId}`);
      return isAsked ? [{ key, ...text }] : [];
    })
    .sort((one, other) => other.at - one.at);
}

/** Deletes what this browser keeps of a user. */
export function forgetTextsOf(viewerId: string): void {
  for (const { key } of keptTexts(viewerId)) {
    forgetText(key);
  }
}

/** Asks before a logout deletes what only this browser has; resolves to true without anything. */
export async function mayForgetTextsOf(viewerId: string): Promise<boolean> {
  const dialog = document.getElementById(keptTextsDialogId);
  if (keptTexts(viewerId).length === 0 || !(dialog instanceof HTMLDialogElement)) {
    return true;
  }
  dialog.returnValue = '';
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
  return dialog.returnValue === 'delete';
}

function read<Content>(key: string): KeptText<Content> | null {
  try {
    const text = withStorage('localStorage', (storage) => storage.getItem(key));
    // Written by `keepText`.
    const kept: KeptText<Content> | null = JSON.parse(text ?? 'null');
    return typeof kept?.at === 'number' && typeof kept.content === 'object' ? kept : null;
  } catch {
    return null;
  }
}
