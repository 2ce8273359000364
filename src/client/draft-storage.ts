/** In the session storage of one tab; see drafts.ts. */
const key = 'draft';

export function readDraft(): string | null {
  return withStorage((storage) => storage.getItem(key));
}

export function writeDraft(text: string): void {
  withStorage((storage) => storage.setItem(key, text));
}

export function forgetDraft(): void {
  withStorage((storage) => storage.removeItem(key));
}

function withStorage<Result>(use: (storage: Storage) => Result): Result | null {
  try {
    return use(window.sessionStorage);
  } catch {
    // Without storage, nothing is kept.
    return null;
  }
}
