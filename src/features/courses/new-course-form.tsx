'use client';

import { type ReactNode, useState } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { apiPaths, paths } from '#paths.ts';
import { useRefresh } from '#router/use-refresh.ts';
import { showToast } from '#ui/toast.tsx';
import type { Course } from './schema.ts';

const check = checkBySchema(() => import('./schema.ts').then(({ CourseInput }) => CourseInput));

type NewCourseFormProps = {
  messages: FormMessages;
  /** Said when the course is there. */
  created: string;
  /** The dialog that it stands in, to be closed when it is done; null on a page of its own, which is left for home. */
  dialogId: string | null;
  /** The fields and the buttons. One of the value `continue` goes home, to the new course. */
  children: ReactNode;
};

/** Makes a course, which is then the selected one. */
export function NewCourseForm({ messages, created, dialogId, children }: NewCourseFormProps) {
  const refresh = useRefresh();
  // A new form for each course.
  const [round, setRound] = useState(0);

  async function goOn(isToHome: boolean): Promise<void> {
    if (isToHome && window.location.pathname !== paths.home) {
      window.location.assign(paths.home);
      // Never settled: the page is on its way out.
      return new Promise<void>(() => {});
    }
    await refresh();
  }

  return (
    <ApiForm<Course>
      key={round}
      path={apiPaths.courses}
      messages={messages}
      check={check}
      failuresIn="dialog"
      onDone={async (_, { button }) => {
        await goOn(dialogId === null || button === 'continue');
        if (dialogId !== null) {
          (document.getElementById(dialogId) as HTMLDialogElement | null)?.close();
          showToast(created);
          setRound(round + 1);
        }
      }}
    >
      {children}
    </ApiForm>
  );
}
