import { type ApiResult, callApi } from '#client/call-api.ts';
import { withStorage } from '#lib/browser-storage.ts';
import { learningApi } from './learning-paths.ts';
import type { Progress } from './schema.ts';

/** The key of a mark: the ids of the enrollment, the course and the lesson. */
type LessonKey = `${string}/${string}/${string}`;

const storageKey = 'lesson-marks';
const changes = new EventTarget();

/** What was pressed and not yet sent: whether each lesson is done. */
type Marks = Record<LessonKey, boolean>;

/** Whether a lesson was marked as done, or not, without having been sent; null if neither. */
export function keptMark(key: LessonKey): boolean | null {
  return keptMarks()[key] ?? null;
}

/** Keeps a press in this browser, also when its tab is closed, and sends it. */
export async function sendMark(key: LessonKey, isDone: boolean): Promise<ApiResult<Progress>> {
  write({ ...keptMarks(), [key]: isDone });
  return send(key, isDone);
}

/** Sends what could not be sent before; returns whether something has arrived. */
export async function sendKeptMarks(): Promise<boolean> {
  let hasArrived = false;
  for (const [key, isDone] of Object.entries(keptMarks()) as [LessonKey, boolean][]) {
    const result = await send(key, isDone);
    hasArrived ||= result.ok;
    if (!result.ok && mayWorkLater(result.status)) {
      break;
    }
  }
  return hasArrived;
}

/** On a device that is to know nothing of its person. */
export function forgetMarks(): void {
  write({});
}

/** Listens to what is kept, also in other tabs; returns the function that stops. */
export function onKeptMarks(hear: () => void): () => void {
  changes.addEventListener('change', hear);
  window.addEventListener('storage', hear);
  return () => {
    changes.removeEventListener('change', hear);
    window.removeEventListener('storage', hear);
  };
}

async function send(key: LessonKey, isDone: boolean): Promise<ApiResult<Progress>> {
  const [enrollmentId = '', courseId = '', lessonId = ''] = key.split('/');
  const result = await callApi(learningApi.lesson(courseId, lessonId), {
    method: 'PUT',
    input: { done: isDone, enrollment_id: enrollmentId },
  });
  // Pressed again meanwhile, it is sent again.
  if ((result.ok || !mayWorkLater(result.status)) && keptMark(key) === isDone) {
    const { [key]: _sent, ...others } = keptMarks();
    write(others);
  }
  return result;
}

/** Without an answer, or with one that says nothing about the lesson. 401: see DoneButton. */
function mayWorkLater(status: number | null): boolean {
  return status === null || status === 401 || status === 403 || status === 429 || status >= 500;
}

function write(marks: Marks): void {
  withStorage('localStorage', (storage) =>
    Object.keys(marks).length === 0
      ? storage.removeItem(storageKey)
      : storage.setItem(storageKey, JSON.stringify(marks)),
  );
  changes.dispatchEvent(new Event('change'));
}

/** What cannot be read is discarded. */
function keptMarks(): Marks {
  try {
    const text = withStorage('localStorage', (storage) => storage.getItem(storageKey));
    const kept: unknown = JSON.parse(text ?? '{}');
    const marks = Object.entries(typeof kept === 'object' && kept !== null ? kept : {});
    return Object.fromEntries(
      marks.filter(
        ([key, mark]) => /^[\w-]{36}(\/[\w-]{36}){2}$/.test(key) && typeof mark === 'boolean',
      ),
    );
  } catch {
    return {};
  }
}
