import { type ApiFailure, callApi } from '#client/call-api.ts';
import { groupOf, typeOfName } from '#features/files/file-types.ts';
import { UploadFailure, uploadFile } from '#features/files/upload-file.ts';
import { ImportRefusal, importLimits } from './import-limits.ts';
import { type ImportPlan, type PlannedFile, withKeys } from './plan-import.ts';
import type { ContentImport } from './schema.ts';

/** That the server refused the lessons, or could not be reached. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure';
  readonly failure: ApiFailure;

  constructor(failure: ApiFailure) {
    super('An import failed');
    this.failure = failure;
  }
}

/** That one of the files could not be read or uploaded. */
export class FileFailure extends Error {
  override readonly name = 'FileFailure';
  readonly file: PlannedFile;
  /** Null for an image that the browser can't read. */
  readonly reason: ApiFailure | ImportRefusal | null;

  constructor(file: PlannedFile, reason: ApiFailure | ImportRefusal | null) {
    super('A file of an import failed');
    this.file = file;
    this.reason = reason;
  }
}

type Sending = { courseId: string; plan: ImportPlan; keys: ReadonlyMap<string, string> };

/**
 * Sends the lessons of a plan; with `isDry` only to be checked.
 *
 * @param keys those of the files that were uploaded, by the keys of the plan; all of a dry run
 * @throws ImportRefusal for more text than one request can have; ImportFailure
 */
export async function sendLessons(
  { courseId, plan, keys }: Sending,
  { isDry, idempotencyKey }: { isDry: boolean; idempotencyKey: string },
): Promise<void> {
  const input = {
    sections: plan.sections.map(({ title, releaseDays, lessons }) => ({
      title,
      release_days: releaseDays,
      lessons: lessons.map((lesson) => ({
        title: lesson.title,
        link_key: lesson.key,
        minutes: lesson.minutes,
        document: isDry ? lesson.document : withKeys(lesson.document, keys),
      })),
    })),
    dry_run: isDry,
  } satisfies ContentImport;
  if (new Blob([JSON.stringify(input)]).size > importLimits.request) {
    throw new ImportRefusal('too_much_text', '');
  }
  const path = `/api/courses/${courseId}/imports/` as const;
  const result = await callApi(path, { input, idempotencyKey });
  if (!result.ok) {
    throw new ImportFailure(result);
  }
}

type Uploading = {
  courseId: string;
  files: PlannedFile[];
  /** Gets the key of each file that is uploaded; those that it has are not uploaded again. */
  keys: Map<string, string>;
  onProgress: (file: PlannedFile, sent: number) => void;
  signal: AbortSignal;
};

/** @throws FileFailure; what `signal` was aborted with */
export async function uploadFiles(uploading: Uploading): Promise<void> {
  const { courseId, files, keys, onProgress, signal } = uploading;
  for (const planned of files.filter(({ key }) => !keys.has(key))) {
    signal.throwIfAborted();
    onProgress(planned, 0);
    const { key, name, entry } = planned;
    try {
      const group = groupOf(typeOfName(name) ?? '');
      const isMedia = group === 'audio' || group === 'video';
      const bytes = await entry.read(isMedia ? importLimits.media : importLimits.file);
      const uploaded = await uploadFile({
        courseId,
        file: new File([bytes], name),
        onProgress: (sent) => onProgress(planned, sent),
        signal,
      });
      keys.set(key, uploaded.key);
    } catch (error) {
      signal.throwIfAborted();
      throw new FileFailure(
        planned,
        error instanceof UploadFailure
          ? error.failure
          : error instanceof ImportRefusal
            ? error
            : null,
      );
    }
  }
}
