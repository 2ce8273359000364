import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { EmailField } from '#features/enrolling/email-field.tsx';
import { DeadLink, LinkFrame } from '#features/enrolling/link-frame.tsx';
import { peopleMessages } from '#features/places/form-messages.ts';
import { isolated } from '#lib/text.ts';
import { CloseButton, Dialog, OpenButton } from '#ui/dialog.tsx';
import { EmailAddress } from '#ui/email-address.tsx';
import { SubmitButton } from '#ui/form.tsx';
import { NeedsScripts } from '#ui/needs-scripts.tsx';
import { Outcome } from '#ui/outcome.tsx';
import { AddressForm } from './address-form.tsx';
import { ConfirmAddressButton, EndButton, OwnDataButton, UntilEnded } from './rights-button.tsx';
import type { RightsHolder } from './rights-holder.ts';

type RightsFrameProps = { title: string; token: string; lead: ReactNode; children: ReactNode };

function RightsFrame({ title, token, lead, children }: RightsFrameProps) {
  return (
    <LinkFrame title={title} token={token}>
      <UntilEnded>
        <h1>{title}</h1>
        <p className="frame-lead">{lead}</p>
        <NeedsScripts />
        {children}
      </UntilEnded>
    </LinkFrame>
  );
}

type HolderProps = { token: string; holder: RightsHolder };

function useErased({ instructor }: RightsHolder) {
  const { t } = useLingui();
  const teacher = <bdi>{instructor}</bdi>;
  return {
    title: t`Your data is erased.`,
    text: (
      <Trans>
        {teacher} only sees that someone has erased their data. You can close this page.
      </Trans>
    ),
  };
}

const eraseDialogId = 'erase-data';

/** What a person can have of what is kept of them, by a link that was just emailed. */
export function DataPage({ token, holder }: HolderProps) {
  const { i18n, t } = useLingui();
  const { instructor, email } = holder;
  const erased = useErased(holder);
  const teacher = <bdi>{instructor}</bdi>;
  const address = <EmailAddress>{email}</EmailAddress>;
  return (
    <RightsFrame
      title={t`Your data`}
      token={token}
      lead={<Trans>What is kept about you for {teacher}. This link works for 10 minutes.</Trans>}
    >
      <div className="grid gap-8">
        <section className="grid gap-3" aria-labelledby="download">
          <h2 id="download">
            <Trans>Download</Trans>
          </h2>
          <p>
            <Trans>
              Your name, email address and language, your places with your answers and what has
              happened to them, the emails you were sent, and any note {teacher} has made about you.
            </Trans>
          </p>
          <OwnDataButton
            token={token}
            pendingLabel={t`Preparing…`}
            done={t`Your data was downloaded.`}
            className="button"
          >
            <Trans>Download my data</Trans>
          </OwnDataButton>
        </section>
        <section className="grid gap-3" aria-labelledby="address">
          <h2 id="address">
            <Trans>Email address</Trans>
          </h2>
          <p>
            <Trans>Emails go to {address}. Another address has to be confirmed first.</Trans>
          </p>
          <AddressForm
            path="/api/participation/new-address/"
            by={{ token }}
            messages={peopleMessages(i18n)}
            sent={
              <Outcome title={t`Check your email`}>
                <Trans>
                  We’ve sent a link to the new address. Nothing changes until you open it.
                </Trans>
              </Outcome>
            }
          >
            <EmailField label={t`New email address`} />
            <SubmitButton
              label={t`Confirm the new address`}
              pendingLabel={t`Sending…`}
              className="button"
            />
          </AddressForm>
        </section>
        <section className="grid gap-3" aria-labelledby="link">
          <h2 id="link">
            <Trans>Link to your page</Trans>
          </h2>
          <p>
            <Trans>
              Anyone who has it can use it. If it has reached someone else, make a new one: all
              older links and your calendar link then stop working.
            </Trans>
          </p>
          <EndButton
            act="renew-link"
            token={token}
            end={{
              title: t`Your new link is on its way.`,
              text: <Trans>Older links have stopped working. Please check your email.</Trans>,
            }}
            pendingLabel={t`Sending…`}
            className="button"
          >
            <Trans>Create a new link</Trans>
          </EndButton>
        </section>
        <section className="grid gap-3" aria-labelledby="erase">
          <h2 id="erase">
            <Trans>Erase</Trans>
          </h2>
          <p>
            <Trans>
              You lose your places, and {teacher} no longer has your name or email address here.
              This can’t be undone.
            </Trans>
          </p>
          <p>
            <OpenButton dialogId={eraseDialogId} className="button button-danger">
              <Trans>Erase my data</Trans>
            </OpenButton>
          </p>
        </section>
      </div>
      <Dialog id={eraseDialogId} title={t`Erase your data?`}>
        <p>
          <Trans>
            Everything that is kept about you for {teacher} is erased now, and your places go to the
            next people.
          </Trans>
        </p>
        <EndButton
          act="erase"
          token={token}
          end={erased}
          pendingLabel={t`Erasing…`}
          className="button button-delete"
          cancel={
            <CloseButton dialogId={eraseDialogId}>
              <Trans>Cancel</Trans>
            </CloseButton>
          }
        >
          <Trans>Erase my data</Trans>
        </EndButton>
      </Dialog>
    </RightsFrame>
  );
}

/** What *Remove me* leads to, in an email to someone who was added by an instructor. */
export function RemovePage({ token, holder }: HolderProps) {
  const { t } = useLingui();
  const { instructor, email, isOnlyInRuns } = holder;
  const teacher = <bdi>{instructor}</bdi>;
  const address = <EmailAddress>{email}</EmailAddress>;
  const instructorName = isolated(instructor);
  return (
    <RightsFrame
      title={t`Remove me from the lists of ${instructorName}`}
      token={token}
      lead={
        isOnlyInRuns ? (
          <Trans>
            {teacher} has {address} in their courses.
          </Trans>
        ) : (
          <Trans>
            {teacher} has {address} in their cohorts.
          </Trans>
        )
      }
    >
      <p className="mb-6">
        <Trans>
          Your name and email address are erased here, and your places go to the next people.{' '}
          {teacher} can’t invite or add you again.
        </Trans>
      </p>
      <EndButton
        act="remove-me"
        token={token}
        end={useErased(holder)}
        pendingLabel={t`Removing…`}
        className="button button-primary"
      >
        <Trans>Remove me</Trans>
      </EndButton>
      <p className="hint mt-4">
        <Trans>Nothing happens unless you click.</Trans>
      </p>
    </RightsFrame>
  );
}

/** What an email to another address of a person leads to. */
export function AddressPage({ token, address }: { token: string; address: string }) {
  const { t } = useLingui();
  const email = <EmailAddress>{address}</EmailAddress>;
  return (
    <RightsFrame
      title={t`Confirm your new email address`}
      token={token}
      lead={<Trans>Emails about your places will go to {email}.</Trans>}
    >
      <ConfirmAddressButton
        token={token}
        pendingLabel={t`One moment…`}
        className="button button-primary"
      >
        <Trans>Confirm my address</Trans>
      </ConfirmAddressButton>
      <p className="hint mt-4">
        <Trans>Links in earlier emails will stop working. We’ll send you a new one.</Trans>
      </p>
    </RightsFrame>
  );
}

/** In the place of each for a link that is over, or that never was one. */
export function DeadRightsPage() {
  return (
    <DeadLink
      text={
        <Trans>
          It may have expired or been used already. Open your page from any of our emails, and ask
          for a new link there.
        </Trans>
      }
    />
  );
}
