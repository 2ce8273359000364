import { callApi } from '#client/call-api.ts';
import type { ShownFile } from '#features/files/schema.ts';

/** The files of a course that an editor knows, by their keys. */
export type KnownFiles = ReturnType<typeof knownFiles>;

/** Begins with some files of a course; those of what is pasted from another lesson are loaded. */
export function knownFiles(courseId: string, files: readonly ShownFile[]) {
  const known = new Map(files.map((file) => [file.key, file]));
  let loading: Promise<void> | null = null;

  async function load(): Promise<void> {
    const path = `/api/courses/${courseId}/files/` as const;
    const result = await callApi(path, { method: 'GET' });
    loading = null;
    if (!result.ok) {
      throw new Error('The files of a course could not be loaded');
    }
    for (const file of result.data) {
      known.set(file.key, file);
    }
  }

  return {
    add: (file: ShownFile) => known.set(file.key, file),
    get: (key: string) => known.get(key),
    /**
     * The same; null if the course has no such file. Throws if that can't be found out.
     *
     * @param isFresh for an address that still works
     */
    async find(key: string, isFresh = false): Promise<ShownFile | null> {
      if (isFresh || !known.has(key)) {
        loading ??= load();
        await loading;
      }
      return known.get(key) ?? null;
    },
  };
}
