import { Trans, useLingui } from '@lingui/react/macro';
import { unstable_redirect as redirect } from 'waku/router/server';
import { DeleteAccountDialog } from '#features/account-settings/delete-account.tsx';
import { CourseFields } from '#features/courses/course-fields.tsx';
import { NewCourseForm } from '#features/courses/new-course-form.tsx';
import { validation } from '#features/courses/vocabulary.ts';
import { SignInLayout } from '#features/frames/sign-in-layout.tsx';
import { AccountMenu } from '#features/shell/account-menu.tsx';
import { PageTools } from '#features/shell/page-tools.tsx';
import { formMessages } from '#i18n/validation.ts';
import { requireUser } from '#page-request.ts';
import { paths } from '#paths.ts';
import { SubmitButton } from '#ui/form.tsx';

export default async function FirstCoursePage() {
  const request = await requireUser();
  const { ctx, i18n } = request;
  if (ctx.viewer.selectedCourseId !== null) {
    redirect(paths.home);
  }
  const { t } = useLingui();
  const firstName = <bdi>{ctx.viewer.firstName}</bdi>;
  return (
    <SignInLayout
      key={ctx.viewer.email}
      request={request}
      viewer={ctx.viewer}
      language={{ accountId: ctx.viewer.id }}
      account={<AccountMenu viewer={ctx.viewer} />}
      tools={
        <>
          <DeleteAccountDialog viewer={ctx.viewer} notOver={{ cohorts: 0, people: 0 }} />
          <PageTools viewer={ctx.viewer} />
        </>
      }
      hasForm
    >
      <title>{t`Your first course · Lectern`}</title>
      <p className="mb-2 font-semibold text-accent">
        <Trans>Welcome, {firstName}. Let’s get started.</Trans>
      </p>
      <h1>
        <Trans>Create your first course</Trans>
      </h1>
      <p className="frame-lead">
        <Trans>All you need is a name and a type. You can change these settings later.</Trans>
      </p>
      <NewCourseForm
        messages={formMessages(i18n, validation)}
        created={t`Course created and selected.`}
        dialogId={null}
      >
        <CourseFields id="first-course" takesFocus />
        <SubmitButton label={t`Create Course`} pendingLabel={t`Creating your course…`} />
      </NewCourseForm>
    </SignInLayout>
  );
}
