import { Trans, useLingui } from '@lingui/react/macro';
import { AccountSettings } from '#features/accounts/account-settings.tsx';
import { listSessions } from '#features/auth/list-sessions.ts';
import { SessionList } from '#features/auth/session-list.tsx';
import { CourseSettings } from '#features/courses/course-settings.tsx';
import { AppShell } from '#features/shell/app-shell.tsx';
import { requireCourse } from '#page-request.ts';
import { paths } from '#paths.ts';

export default async function SettingsPage() {
  const request = await requireCourse({ sessions: listSessions });
  const { t } = useLingui();
  const { course, ctx, look } = request;
  const { sessions } = request.answers;
  const courseName = <bdi>{course.name}</bdi>;
  return (
    <AppShell request={request} current={paths.settings} title={t`Settings`}>
      <h1>
        <Trans>Settings</Trans>
      </h1>
      <section aria-labelledby="account-settings" className="grid gap-4">
        <h2 id="account-settings">
          <Trans>Your account</Trans>
        </h2>
        <AccountSettings viewer={ctx.viewer} theme={look.theme} contactAddress={request.contact}>
          <SessionList sessions={sessions} now={ctx.now()} />
        </AccountSettings>
      </section>
      <section aria-labelledby="course-settings" className="grid gap-4">
        <h2 id="course-settings">
          <Trans>Course settings: {courseName}</Trans>
        </h2>
        <CourseSettings course={course} />
      </section>
    </AppShell>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
