import { Trans, useLingui } from '@lingui/react/macro';
import { Check } from '#features/cohorts/fields.tsx';
import { EmailField } from '#features/enrolling/email-field.tsx';
import { DeadLink } from '#features/enrolling/link-frame.tsx';
import { PublicFrame } from '#features/frames/public-frame.tsx';
import { peopleMessages } from '#features/places/form-messages.ts';
import { LanguageSelect } from '#features/places/language-select.tsx';
import { errors } from '#features/places/vocabulary.ts';
import { AddressForm } from '#features/rights/address-form.tsx';
import { DataLinkButton } from '#features/rights/rights-button.tsx';
import { mailtoOf } from '#lib/email-address.ts';
import { isolated } from '#lib/text.ts';
import { Field, SubmitButton } from '#ui/form.tsx';
import { NeedsScripts } from '#ui/needs-scripts.tsx';
import { Outcome } from '#ui/outcome.tsx';
import type { Participant } from './find-participant.ts';
import { ButtonAlerts, TakePartButton } from './participant-button.tsx';
import { ParticipantForm } from './participant-form.tsx';
import { Leave, type OwnPlace, PlaceCard } from './place-card.tsx';

type PersonPageProps = {
  link: string;
  participant: Participant;
  places: OwnPlace[];
  now: Date;
  /** Of their calendar; null if nothing would be in it. */
  calendarUrl: string | null;
  /** Of Stripe's page; empty where no one pays online. */
  checkoutOrigin: string;
};

/** Everything of a person with one instructor. */
export function PersonPage(props: PersonPageProps) {
  const { link, participant, places, now, calendarUrl, checkoutOrigin } = props;
  const { i18n, t } = useLingui();
  const { name, language, hasReminders, instructor } = participant;
  const greeted = isolated(name);
  const leavable = places.filter(({ actions }) => actions.includes('leave'));
  const teacher = <bdi>{instructor.name}</bdi>;
  const hasRun = places.some(({ kind }) => kind === 'open');
  return (
    <PublicFrame title={hasRun ? t`Your courses` : t`Your cohorts`}>
      <main className="public-column">
        <h1>{t`Hello, ${greeted}`}</h1>
        <p className="frame-lead">
          {hasRun ? (
            <Trans>Your courses with {teacher}</Trans>
          ) : (
            <Trans>Your cohorts with {teacher}</Trans>
          )}
        </p>
        {places.length === 0 && (
          <p className="notice">
            <Trans>You’re not in any of their cohorts right now.</Trans>
          </p>
        )}
        {!participant.hasAgreed && places.some(({ status }) => status === 'enrolled') && (
          <ButtonAlerts>
            <div className="notice notice-with-action">
              <p>
                <Trans>{teacher} has added you. Are you taking part?</Trans>{' '}
                <Trans>Once you confirm, you’ll also get reminders.</Trans>
              </p>
              <TakePartButton
                link={link}
                pendingLabel={t`Saving…`}
                done={t`Thanks for confirming.`}
              >
                <Trans>Yes, I take part</Trans>
              </TakePartButton>
            </div>
          </ButtonAlerts>
        )}
        <div className="grid gap-8">
          {places.map((place) => (
            <PlaceCard
              key={place.id}
              place={place}
              link={link}
              instructor={instructor.name}
              now={now}
              checkoutOrigin={checkoutOrigin}
              calendarUrl={calendarUrl}
            />
          ))}
        </div>
        <div className="person-more">
          <a href={mailtoOf(instructor.email)}>
            <span className="icon icon-mail" />
            <span>
              <Trans>Write to {teacher}</Trans>
            </span>
          </a>
          <details>
            <summary>
              <span className="icon icon-settings" />
              <Trans>Name, language and reminders</Trans>
            </summary>
            <ParticipantForm
              // New values replace what was typed once they are stored.
              key={`${name} ${language} ${hasReminders}`}
              link={link}
              stored={{ name, language, reminders: hasReminders }}
              saved={t`Saved.`}
              messages={peopleMessages(i18n)}
            >
              <Field
                name="name"
                label={t`Your name`}
                defaultValue={name}
                autoComplete="name"
                required
              />
              <LanguageSelect
                label={t`Language`}
                hint={t`Used on this page and in our emails.`}
                language={language}
              />
              <Check
                name="reminders"
                label={t`Send me reminders and messages to the group`}
                hint={t`You’ll always get emails about your own place.`}
                defaultChecked={hasReminders}
              />
              <SubmitButton label={t`Save`} pendingLabel={t`Saving…`} />
            </ParticipantForm>
          </details>
          <details>
            <summary>
              <span className="icon icon-download" />
              <Trans>Your data</Trans>
            </summary>
            <p className="mb-4">
              <Trans>
                Download what is kept about you, change your email address or erase everything.
                Because the link to this page is in every email, we’ll first email you another one
                that works for 10 minutes.
              </Trans>
            </p>
            <DataLinkButton
              link={link}
              pendingLabel={t`Sending…`}
              className="button"
              sent={
                <Outcome title={t`Check your email`}>
                  <Trans>The link to your data is on its way. It works for 10 minutes.</Trans>
                </Outcome>
              }
            >
              <Trans>Email me the link</Trans>
            </DataLinkButton>
          </details>
          <ButtonAlerts>
            {places.map((place) => (
              <Leave
                key={place.id}
                place={place}
                link={link}
                instructor={instructor.name}
                now={now}
                checkoutOrigin={checkoutOrigin}
                isOnly={leavable.length === 1}
              />
            ))}
          </ButtonAlerts>
        </div>
      </main>
    </PublicFrame>
  );
}

/** In the place of the page for a link that was replaced, or that never was one. */
export function DeadLinkPage({ link }: { link: string }) {
  const { i18n, t } = useLingui();
  return (
    <DeadLink text={i18n._(errors.person_link_invalid.text)}>
      <NeedsScripts />
      <AddressForm
        path="/api/participation/new-link/"
        by={{ link }}
        messages={peopleMessages(i18n)}
        sent={
          <Outcome title={t`Check your email`}>
            <Trans>
              If this link was sent to that address, an email with a new one is on its way.
            </Trans>
          </Outcome>
        }
      >
        <EmailField label={t`Email address`} />
        <SubmitButton label={t`Send a new link`} pendingLabel={t`Sending…`} />
      </AddressForm>
    </DeadLink>
  );
}
