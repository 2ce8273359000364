import { Trans, useLingui } from '@lingui/react/macro';
import { unstable_redirect as redirect } from 'waku/router/server';
import { LogoutButton } from '#features/auth/logout-button.tsx';
import { FirstCourseForm } from '#features/courses/first-course-form.tsx';
import { LanguageSwitcher } from '#i18n/language-switcher.tsx';
import { Texts } from '#i18n/provider.tsx';
import { requireUser } from '#page-request.ts';
import { paths } from '#paths.ts';
import { SignInLayout } from '#ui/sign-in-layout.tsx';

export default async function FirstCoursePage() {
  const { ctx, locale, texts } = await requireUser();
  if (ctx.viewer.selectedCourse !== null) {
    redirect(paths.home);
  }
  const { t } = useLingui();
  const { firstName } = ctx.viewer;
  return (
    <Texts {...texts('common', 'auth', 'courses', 'validation')}>
      <SignInLayout corner={<LanguageSwitcher locale={locale} />}>
        <title>{t`Your first course · Lectern`}</title>
        <p className="mb-2 font-semibold text-accent">
          <Trans>Welcome, {firstName}. Let’s get started.</Trans>
        </p>
        <h1>
          <Trans>Create your first course</Trans>
        </h1>
        <p className="mt-2 mb-8 text-muted">
          <Trans>A name and a type are enough for now. You can change these settings later.</Trans>
        </p>
        <FirstCourseForm />
        <div className="mt-8 flex justify-center">
          <LogoutButton />
        </div>
      </SignInLayout>
    </Texts>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
