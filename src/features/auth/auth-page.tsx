import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { LanguageChoice } from '#features/language/language-choice.tsx';
import { SignInLayout } from '#features/shell/sign-in-layout.tsx';
import { Toasts } from '#ui/toast.tsx';

/** The frame of /login and /signup. */
export function AuthPage({ children }: { children: ReactNode }) {
  const { t } = useLingui();
  return (
    <SignInLayout
      corner={<LanguageChoice />}
      promise={{
        title: t`Your courses deserve a calm place to be made and run.`,
        points: [
          t`Evergreen courses: students start when they like and go at their own pace.`,
          t`Cohorts: a group that learns together, from the first day to the last.`,
          t`No password to remember: a link in your mailbox is your key.`,
        ],
      }}
    >
      <meta
        name="description"
        content={t`Lectern is where instructors create and run their courses, at everyone’s own pace or in cohorts.`}
      />
      {children}
      <Toasts close={t`Close`} />
    </SignInLayout>
  );
}
