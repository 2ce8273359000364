'use client';

import { useEffect, useState } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { DialogForm } from '#client/dialog-form.tsx';
import { leaveFor } from '#client/leave.ts';
import { useFinish } from '#client/use-finish.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { Dialog } from '#ui/dialog.tsx';
import { Field, SubmitButton } from '#ui/form.tsx';
import { lessonApi, lessonPaths } from './lesson-paths.ts';
import { newLessonId, newSectionId } from './outline-ids.ts';
import type { outlineTexts } from './outline-texts.ts';

type Texts = ReturnType<typeof outlineTexts>;

const checkLesson = checkBySchema(() =>
  import('./schema.ts').then(({ LessonInput }) => LessonInput),
);

const checkSection = checkBySchema(() =>
  import('./schema.ts').then(({ SectionInput }) => SectionInput),
);

type NewLessonProps = {
  courseId: string;
  /** The section at whose end it comes; null for the last one. */
  into: string | null;
  messages: FormMessages;
  texts: Texts['newLesson'];
};

const titleId = 'lesson-title';

/** What the button for another lesson sends with the form. */
const another = 'another';

/** Creates a lesson and opens it, or asks for the next one, to write an outline first. */
export function NewLessonDialog({ courseId, into, messages, texts }: NewLessonProps) {
  const finish = useFinish();
  const [round, setRound] = useState(0);
  useEffect(() => {
    // The form before it had the focus.
    if (round > 0) {
      document.getElementById(titleId)?.focus();
    }
  }, [round]);
  return (
    <Dialog id={newLessonId} title={texts.title} close={texts.close}>
      <ApiForm
        // A new form for each lesson, because a form creates one.
        key={round}
        path={
          into === null ? lessonApi.lessonsOfCourse(courseId) : lessonApi.lessonsOfSection(into)
        }
        messages={messages}
        check={checkLesson}
        refusals={['too_many_lessons']}
        onDone={async ({ id }, { button }) => {
          if (button !== another) {
            return leaveFor(lessonPaths.lesson(id), texts.done);
          }
          await finish(texts.done);
          setRound(round + 1);
          return undefined;
        }}
      >
        <TitleField id={titleId} label={texts.field} />
        <div className="dialog-foot flex-row-reverse [justify-content:start] max-md:flex-col">
          {/* First, because Enter presses it. */}
          <SubmitButton label={texts.submit} pendingLabel={texts.submitting} />
          <SubmitButton
            label={texts.another}
            pendingLabel={texts.submitting}
            value={another}
            className="button"
          />
        </div>
      </ApiForm>
    </Dialog>
  );
}

type NewSectionProps = { courseId: string; messages: FormMessages; texts: Texts['newSection'] };

/** Creates a section at the end of the outline. */
export function NewSectionDialog({ courseId, messages, texts }: NewSectionProps) {
  return (
    <Dialog id={newSectionId} title={texts.title}>
      <DialogForm
        path={lessonApi.sections(courseId)}
        dialogId={newSectionId}
        messages={messages}
        check={checkSection}
        refusals={['too_many_sections']}
        texts={texts}
        done={texts.done}
      >
        <TitleField id="section-title" label={texts.field} />
      </DialogForm>
    </Dialog>
  );
}

type TitleFieldProps = { id: string; label: string; title?: string };

/** What a lesson or a section is called. */
export function TitleField({ id, label, title }: TitleFieldProps) {
  return (
    <Field
      id={id}
      label={label}
      name="title"
      dir="auto"
      autoComplete="off"
      required
      defaultValue={title}
    />
  );
}
