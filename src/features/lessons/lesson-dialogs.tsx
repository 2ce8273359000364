'use client';

import { checkBySchema } from '#client/check-by-schema.ts';
import { DialogForm } from '#client/dialog-form.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { Dialog } from '#ui/dialog.tsx';
import { Field } from '#ui/form.tsx';
import { lessonApi } from './lesson-paths.ts';
import { minutesId, unpublishId } from './outline-ids.ts';
import type { minutesTexts, unpublishTexts } from './outline-texts.ts';

const checkPatch = checkBySchema(() =>
  import('./schema.ts').then(({ LessonPatch }) => LessonPatch),
);

type OfLesson = { id: string; messages: FormMessages };
type MinutesProps = OfLesson & { minutes: number | null; texts: ReturnType<typeof minutesTexts> };

/** Changes the reading time; without one, it is estimated. */
export function MinutesDialog({ id, minutes, messages, texts }: MinutesProps) {
  const toInput = (values: Record<string, string>) => ({
    minutes: values['minutes']?.trim() ? Number(values['minutes']) : null,
  });
  return (
    <Dialog id={minutesId} title={texts.title}>
      <DialogForm
        key={minutes}
        path={lessonApi.lesson(id)}
        method="PATCH"
        dialogId={minutesId}
        messages={messages}
        texts={texts}
        done={texts.done}
        check={(values) => checkPatch(toInput(values))}
        toInput={toInput}
      >
        <Field
          label={texts.field}
          hint={texts.hint}
          name="minutes"
          defaultValue={minutes?.toString() ?? ''}
          inputMode="numeric"
          autoComplete="off"
        />
      </DialogForm>
    </Dialog>
  );
}

type UnpublishProps = OfLesson & { texts: ReturnType<typeof unpublishTexts> };

/** Hides a lesson from learners again that some of them have opened. */
export function UnpublishDialog({ id, messages, texts }: UnpublishProps) {
  return (
    <Dialog id={unpublishId} title={texts.title}>
      <DialogForm
        path={lessonApi.unpublish(id)}
        dialogId={unpublishId}
        messages={messages}
        texts={texts}
        done={texts.done}
      >
        <p>{texts.text}</p>
      </DialogForm>
    </Dialog>
  );
}
