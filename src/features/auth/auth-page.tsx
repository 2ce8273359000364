import type { Messages } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Locale } from '#db/values.ts';
import { LanguageSwitcher } from '#i18n/language-switcher.tsx';
import { Texts } from '#i18n/provider.tsx';
import { SignInLayout } from '#ui/sign-in-layout.tsx';

type AuthPageProps = { texts: { locale: Locale; messages: Messages }; children: ReactNode };

/** The frame of /login and /signup. */
export function AuthPage({ texts, children }: AuthPageProps) {
  const { t } = useLingui();
  return (
    <Texts {...texts}>
      <SignInLayout
        corner={<LanguageSwitcher locale={texts.locale} />}
        promise={{
          title: t`Your courses deserve a calm place to be made and run.`,
          points: [
            t`Evergreen courses: students start when they like and go at their own pace.`,
            t`Cohorts: a group that learns together, from the first day to the last.`,
            t`No password to remember: a link in your mailbox is your key.`,
          ],
        }}
      >
        {children}
      </SignInLayout>
    </Texts>
  );
}
