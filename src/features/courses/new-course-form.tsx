'use client';

import { type ReactNode, useState } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { tellTabs } from '#client/tabs.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { apiPaths, paths } from '#paths.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { showToast } from '#ui/toast.tsx';

const check = checkBySchema(() => import('./schema.ts').then(({ CourseInput }) => CourseInput));

type NewCourseFormProps = {
  messages: FormMessages;
  created: string;
  /** The dialog around it, closed when it is done; null on a page, which then goes home. */
  dialogId: string | null;
  /** The fields and buttons. A button with the value `continue` goes home, to the new course. */
  children: ReactNode;
};

export function NewCourseForm({ messages, created, dialogId, children }: NewCourseFormProps) {
  const refresh = useRefresh();
  // A new form for each course.
  const [round, setRound] = useState(0);

  async function goOn(isToHome: boolean): Promise<void> {
    if (isToHome && window.location.pathname !== paths.home) {
      tellTabs({ kind: 'changed' });
      window.location.assign(paths.home);
      // Never settles: the page is being left.
      return new Promise<void>(() => {});
    }
    await refresh();
  }

  return (
    <ApiForm
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
