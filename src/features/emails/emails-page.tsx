import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { type ParticipantMailKind, participantMailKinds } from '#email/kinds.ts';
import { letterTexts } from '#email/participant-letter.ts';
import { AnnounceChanges } from '#features/messages/message-sections.tsx';
import { errors as peopleErrors } from '#features/places/vocabulary.ts';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { SettingsButton } from '#features/settings/settings-button.tsx';
import { momentIn } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { emailPaths, paths } from '#paths.ts';
import type { CohortEmails, EmailSwitchesPatch } from './schema.ts';

type EmailsPageProps = { cohort: OwnCohort; emails: CohortEmails };

/** What a cohort emails: what is due, what went, what came back, and what goes out by itself. */
export function EmailsPage({ cohort, emails }: EmailsPageProps) {
  const { i18n, t } = useLingui();
  const { due, sent, late, returned } = emails;
  const rest = due.slice(shownDue);
  const city = <span>{cityOf(cohort.time_zone, i18n.locale === 'fr' ? 'fr' : 'en')}</span>;
  const moment = (at: string) => (
    <time dateTime={at}>{momentIn(cohort.time_zone, new Date(at), i18n.locale)}</time>
  );
  const dueLine = ({ kind, session, count, next_at: at }: CohortEmails['due'][number]) => (
    <KindLine
      key={`${kind} ${session} ${at}`}
      kind={kind}
      session={session}
      count={<Plural value={count} one="to # person" other="to # people" />}
      when={moment(at)}
    />
  );
  const numberOf = (count: number) => <Plural value={count} one="# email" other="# emails" />;
  return (
    <div className="emails">
      {emails.is_paused && (
        <p className="alert">
          {i18n._(peopleErrors.invitations_paused.text)}{' '}
          <Trans>Until then, emails about changes go out without your notes.</Trans>
        </p>
      )}
      <AnnounceChanges cohort={cohort} changes={emails.unannounced} />
      <div className="actions">
        <a className="button" href={emailPaths.message(cohort.id)}>{t`Write to the group`}</a>
      </div>
      <Part id="due" title={t`Scheduled`} none={t`No email is waiting to go out.`}>
        {due.slice(0, shownDue).map(dueLine)}
      </Part>
      {rest.length > 0 && (
        <details>
          <summary>
            <Plural value={rest.length} one="# more later" other="# more later" />
          </summary>
          <ul className="events timed">{rest.map(dueLine)}</ul>
        </details>
      )}
      <Part id="late" title={t`Not sent, because it was too late`}>
        {late.map(({ kind, count, last_at: at }) => (
          <KindLine key={kind} kind={kind} count={numberOf(count)} when={moment(at)} />
        ))}
      </Part>
      <Part id="messages" title={t`What you wrote to the group`}>
        {emails.messages.map((message) => (
          <MessageLine key={message.id} message={message} moment={moment} />
        ))}
      </Part>
      <Part id="returned" title={t`Bounced`}>
        {returned.map(({ kind, email, name, enrollment_id, reason, at }) => (
          <li key={`${kind} ${email} ${at}`} data-sentry-mask>
            <span>
              {enrollment_id === null || name === null ? (
                <strong>{email}</strong>
              ) : (
                <a className="link" href={paths.participant(cohort.id, enrollment_id)}>
                  <bdi>{name}</bdi>
                </a>
              )}{' '}
              <span className="text-muted">
                {i18n._(letterTexts[kind].name)} · {i18n._(reasonWords[reason])}
              </span>
            </span>
            {moment(at)}
          </li>
        ))}
      </Part>
      <Part
        id="sent"
        title={t`Sent in the last 90 days`}
        none={t`This cohort has sent no email yet.`}
      >
        {sent.map(({ kind, count, last_at: at }) => {
          const last = <>{moment(at)}</>;
          const when = (
            <span className="text-muted">
              <Trans>last sent {last}</Trans>
            </span>
          );
          return <KindLine key={kind} kind={kind} count={numberOf(count)} when={when} />;
        })}
      </Part>
      <p className="hint">
        <Trans>Times are in {city} time.</Trans>
      </p>
      <section aria-labelledby="email-switches">
        <h2 id="email-switches">{t`Reminders`}</h2>
        <Switches cohort={cohort} emails={emails} />
      </section>
      <section aria-labelledby="all-emails">
        <h2 id="all-emails">{t`Every email, and when it goes out`}</h2>
        <ul className="events">
          {participantMailKinds.map((kind) => (
            <li key={kind}>
              <span>
                <a href={emailPaths.preview(cohort.id, kind)}>{i18n._(letterTexts[kind].name)}</a>{' '}
                <span className="text-muted">{i18n._(letterTexts[kind].when)}</span>
              </span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** Why an email has not arrived. */
const reasonWords: Record<CohortEmails['returned'][number]['reason'], MessageDescriptor> = {
  bounced: msg`Bounced: the address doesn’t take it`,
  complained: msg`Marked as spam`,
  suppressed: msg`Not sent: an earlier email to this address bounced`,
  unwelcome: msg`Not sent: they marked an earlier email as spam`,
  failed: msg`Given up after several tries`,
};

/** The rest is behind a click: a cohort can have hundreds of live sessions. */
const shownDue = 8;

type Moment = (at: string) => ReactNode;

type KindLineProps = {
  kind: ParticipantMailKind;
  session?: string | null;
  count: ReactNode;
  when: ReactNode;
};

function KindLine({ kind, session = null, count, when }: KindLineProps) {
  const { i18n } = useLingui();
  return (
    <li>
      <span>
        <strong>{i18n._(letterTexts[kind].name)}</strong>{' '}
        {session !== null && (
          <>
            <bdi>{session}</bdi>{' '}
          </>
        )}
        <span className="text-muted">{count}</span>
      </span>
      {when}
    </li>
  );
}

type MessageLineProps = { message: CohortEmails['messages'][number]; moment: Moment };

function MessageLine({ message, moment }: MessageLineProps) {
  const { subject, text, changes, recipients, left_out: leftOut } = message;
  const title =
    subject === null ? (
      <Plural
        value={changes ?? 0}
        one="# change of the live sessions"
        other="# changes of the live sessions"
      />
    ) : (
      <bdi>{subject}</bdi>
    );
  return (
    <li data-sentry-mask>
      <span>
        {text === null ? (
          <strong>{title}</strong>
        ) : (
          <details>
            <summary>
              <strong>{title}</strong>
            </summary>
            <p className="mt-2 whitespace-pre-wrap" dir="auto">
              {text}
            </p>
          </details>
        )}{' '}
        <span className="text-muted">
          <Plural value={recipients} one="to # person" other="to # people" />
          {leftOut > 0 && (
            <>
              {' · '}
              <Plural value={leftOut} one="# left out" other="# left out" />
            </>
          )}
        </span>
      </span>
      {moment(message.created_at)}
    </li>
  );
}

function Switches({ cohort, emails }: EmailsPageProps) {
  const { t } = useLingui();
  const switches: { name: keyof EmailSwitchesPatch; on: string; off: string }[] = [
    {
      name: 'start_reminder',
      on: t`Three days before the first day, at 9 AM, people are reminded that the cohort begins.`,
      off: t`People aren’t reminded of the first day.`,
    },
    {
      name: 'day_before_reminder',
      on: t`People are reminded of each live session a day before it.`,
      off: t`People aren’t reminded of live sessions a day before.`,
    },
    {
      name: 'hour_before_reminder',
      on: t`People are reminded of each live session an hour before it.`,
      off: t`People aren’t reminded of live sessions an hour before.`,
    },
    {
      name: 'invitation_reminder',
      on: t`People who haven’t answered are reminded once, three days before their invitation ends.`,
      off: t`People aren’t reminded of their invitation.`,
    },
  ];
  return (
    <ul className="events switches">
      {switches.map(({ name, on, off }) => {
        const isOn = emails[name];
        return (
          <li key={name}>
            <span id={`switch-${name}`}>{isOn ? on : off}</span>
            <SettingsButton
              path={emailPaths.ofCohort(cohort.id)}
              call={{ method: 'PATCH', input: { [name]: !isOn } }}
              pendingLabel={t`Saving…`}
              describedBy={`switch-${name}`}
              done={isOn ? t`Reminders switched off.` : t`Reminders switched on.`}
            >
              {isOn ? <Trans>Switch off</Trans> : <Trans>Switch on</Trans>}
            </SettingsButton>
          </li>
        );
      })}
    </ul>
  );
}

type PartProps = {
  id: string;
  title: string;
  /** What is said in the place of an empty list, which otherwise has no heading either. */
  none?: string;
  children: ReactNode[];
};

function Part({ id, title, none, children }: PartProps) {
  const isEmpty = children.length === 0;
  return isEmpty && none === undefined ? null : (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {isEmpty ? <p className="hint">{none}</p> : <ul className="events timed">{children}</ul>}
    </section>
  );
}

/** What a cohort emails next, beside its state. */
export function NextEmails({ cohort, emails }: { cohort: OwnCohort; emails: CohortEmails['due'] }) {
  const { i18n, t } = useLingui();
  return (
    <section aria-labelledby="next-emails" className="grid gap-3">
      <h3 id="next-emails">{t`Next emails`}</h3>
      <ul className="events">
        {emails.map(({ kind, session, count, next_at: at }) => (
          <li key={`${kind} ${session} ${at}`}>
            <span className="grid text-sm">
              <a className="font-semibold" href={emailPaths.page(cohort.id)}>
                {i18n._(letterTexts[kind].name)}
              </a>
              <span className="text-muted">
                {session !== null && (
                  <>
                    <bdi>{session}</bdi>
                    {' · '}
                  </>
                )}
                <Plural value={count} one="to # person" other="to # people" />
                {' · '}
                <time dateTime={at}>{momentIn(cohort.time_zone, new Date(at), i18n.locale)}</time>
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
