'use client';

import { type ReactNode, useState } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { leaveFor } from '#client/leave.ts';
import { mayLoseChanges } from '#client/unsaved.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { apiPaths, paths } from '#paths.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { closeDialog } from '#ui/dialog.tsx';
import { showToast } from '#ui/toast.tsx';

const check = checkBySchema(() => import('./schema.ts').then(({ CourseInput }) => CourseInput));

const nextSteps = { cohort: paths.newCohort, evergreen: paths.lessons };

type NewCourseFormProps = {
  messages: FormMessages;
  created: string;
  /** The dialog around it, closed when it is done; null on a page, which then goes home. */
  dialogId: string | null;
  /** The fields and buttons. A button with the value `continue` goes on to the next step. */
  children: ReactNode;
};

export function NewCourseForm({ messages, created, dialogId, children }: NewCourseFormProps) {
  const refresh = useRefresh();
  // A new form for each course.
  const [round, setRound] = useState(0);

  /** Goes on to another page, or shows the new course on this one. */
  async function goTo(next: URL): Promise<'leaving' | undefined> {
    if (next.pathname !== window.location.pathname) {
      return leaveFor(next.href, created);
    }
    await refresh();
    if (dialogId !== null) {
      closeDialog(dialogId);
    }
    showToast(created);
    setRound(round + 1);
  }

  return (
    <ApiForm
      key={round}
      path={apiPaths.courses}
      messages={messages}
      check={check}
      // The new course is selected, or another page opened.
      mayStart={(button) => mayLoseChanges(button === 'continue' ? null : 'course')}
      onDone={({ course_type: type }, { button }) => {
        const path = dialogId === null ? paths.home : button === 'continue' && nextSteps[type];
        const { href } = window.location;
        return goTo(new URL(path || href, href));
      }}
    >
      {children}
    </ApiForm>
  );
}
