import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Session } from '#features/identity/schema.ts';
import { sectionIds } from '#features/settings/section-ids.ts';
import { SettingsButton } from '#features/settings/settings-button.tsx';
import { browserName, isHandheld } from '#lib/browser-name.ts';
import { timeAgo } from '#lib/relative-time.ts';
import { dayMs } from '#lib/time/calendar.ts';
import { apiPaths } from '#paths.ts';
import { SettingsSection } from '#ui/settings-section.tsx';

/** The user's active sessions, with buttons to end them. */
export function SessionList({ sessions, now }: { sessions: Session[]; now: Date }) {
  const { i18n, t } = useLingui();
  const others = sessions.filter(({ is_current: isCurrent }) => !isCurrent).length;
  return (
    <SettingsSection
      id={sectionIds.sessions}
      title={t`Active sessions`}
      description={t`Log out of any session you don’t recognize or no longer use.`}
    >
      <ul className="rows">
        {sessions.map((session) => (
          <li key={session.id}>
            <span
              className={`icon ${isHandheld(session.user_agent) ? 'icon-phone' : 'icon-device'}`}
            />
            <div className="min-w-0 flex-1">
              <p className="font-medium">{browserName(session.user_agent) ?? t`Unknown browser`}</p>
              <p className="text-sm text-muted">
                <LastActive session={session} now={now} />
                {' · '}
                <Trans>
                  Logged in{' '}
                  <time dateTime={session.created_at}>
                    {timeAgo(new Date(session.created_at), now, i18n.locale) ?? t`just now`}
                  </time>
                </Trans>
              </p>
            </div>
            {session.is_current ? (
              <p className="text-sm font-medium text-accent">{t`This device`}</p>
            ) : (
              <SettingsButton
                path={apiPaths.session(session.id)}
                call={{ method: 'DELETE' }}
                pendingLabel={t`Ending session…`}
                done={t`Browser logged out.`}
              >
                <Trans>End session</Trans>
              </SettingsButton>
            )}
          </li>
        ))}
      </ul>
      {others > 0 ? (
        <SettingsButton
          path={apiPaths.session('others')}
          call={{ method: 'DELETE' }}
          pendingLabel={t`Logging out…`}
          done={t`All other browsers logged out.`}
        >
          <Plural
            value={others}
            one="Log out of the other browser"
            other="Log out of all # other browsers"
          />
        </SettingsButton>
      ) : (
        <p className="text-sm text-muted">{t`You’re not logged in anywhere else.`}</p>
      )}
    </SettingsSection>
  );
}

/** In whole days, because the last visit is stored at most once a day. */
function LastActive({ session, now }: { session: Session; now: Date }) {
  const { i18n, t } = useLingui();
  if (session.is_current) {
    return <Trans>Active now</Trans>;
  }
  const seenAt = new Date(session.last_seen_at);
  if (now.getTime() - seenAt.getTime() < dayMs) {
    return <Trans>Active in the last 24 hours</Trans>;
  }
  return (
    <Trans>
      Last active{' '}
      <time dateTime={session.last_seen_at}>
        {timeAgo(seenAt, now, i18n.locale) ?? t`just now`}
      </time>
    </Trans>
  );
}
