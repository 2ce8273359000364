import { Trans, useLingui } from '@lingui/react/macro';
import { AccountSettings } from '#features/account-settings/account-settings.tsx';
import { DeleteAccount } from '#features/account-settings/delete-account.tsx';
import { SessionList } from '#features/account-settings/session-list.tsx';
import { Check } from '#features/cohorts/fields.tsx';
import { CoursePicture } from '#features/courses/course-picture.tsx';
import { CourseSettings, DeleteCourse } from '#features/courses/course-settings.tsx';
import { CourseTile } from '#features/courses/course-tile.tsx';
import { DuplicateCourse } from '#features/courses/duplicate-course.tsx';
import { whyNoPictures } from '#features/files/picture-texts.ts';
import { Avatar } from '#features/identity/avatar.tsx';
import { findSessions, toSessions } from '#features/identity/sessions.ts';
import { countCohortsNotOver, countOwnCohorts } from '#features/planning/own-cohorts.ts';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';
import { SettingsNav } from '#features/settings/settings-nav.tsx';
import { AppShell } from '#features/shell/app-shell.tsx';
import { requireCourse } from '#page-request.ts';
import { paths } from '#paths.ts';
import { EmailAddress } from '#ui/email-address.tsx';
import { SettingsPart } from '#ui/settings-section.tsx';

export default async function SettingsPage() {
  const request = await requireCourse({
    sessions: findSessions,
    ofCourse: countOwnCohorts,
    notOver: countCohortsNotOver,
  });
  const { i18n, t } = useLingui();
  const { course, ctx, look } = request;
  const disabledReason = whyNoPictures(ctx, i18n);
  const { viewer } = ctx;
  const { sessions, ofCourse, notOver } = request.answers;
  return (
    <AppShell request={request} current={paths.settings} title={t`Settings`}>
      <h1>
        <Trans>Settings</Trans>
      </h1>
      <div className="@container">
        <div className="settings-columns">
          <SettingsNav takesPayments={ctx.config.stripe !== null} />
          <div className="settings-parts @container">
            <SettingsPart
              id="course-settings"
              title={t`Course settings`}
              sign={<CourseTile course={course} />}
              name={<bdi>{course.name}</bdi>}
            >
              <CourseSettings course={course} counts={ofCourse}>
                <Check
                  name="shows_outline"
                  label={t`Show the outline on public pages`}
                  hint={t`Everyone can then see the titles and reading times of published lessons, but not their texts.`}
                />
              </CourseSettings>
              <CoursePicture course={course} disabledReason={disabledReason} />
              <DuplicateCourse course={course} />
            </SettingsPart>
            <SettingsPart
              id="account-settings"
              title={t`Your account`}
              sign={<Avatar viewer={viewer} className="avatar avatar-large" />}
              name={<EmailAddress>{viewer.email}</EmailAddress>}
            >
              <AccountSettings
                viewer={viewer}
                theme={look.theme}
                contactAddress={request.contact}
                disabledReason={disabledReason}
                takesPayments={ctx.config.stripe !== null}
              >
                <SessionList sessions={toSessions(sessions, viewer)} now={ctx.now()} />
              </AccountSettings>
            </SettingsPart>
            <SettingsPart id="delete" title={t`Delete`}>
              <DeleteCourse course={course} counts={ofCourse} />
              <DeleteAccount viewer={viewer} notOver={notOver} />
            </SettingsPart>
          </div>
        </div>
      </div>
      <LeaveDialog />
    </AppShell>
  );
}
