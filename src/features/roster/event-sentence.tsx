import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { EnrollmentStatus } from '#db/values.ts';
import type { PersonEvent } from '#features/places/schema.ts';

/** By where someone stood before. */
type Sentences = Partial<Record<EnrollmentStatus, ReactNode>> & { other: ReactNode };

type EventProps = { event: Omit<PersonEvent, 'at'>; name: string };

/** What has happened to someone, in a sentence for the owner. */
export function EventSentence({ event, name }: EventProps): ReactNode {
  const { actor, from_status: from, to_status: to } = event;
  const who = <strong dir="auto">{name}</strong>;
  if (event.moved_from !== null) {
    const former = <bdi>{event.moved_from}</bdi>;
    return (
      <Trans>
        You moved {who} here from {former}
      </Trans>
    );
  }
  const byOwner: Partial<Record<EnrollmentStatus, Sentences>> = {
    enrolled: { applied: <Trans>You approved {who}</Trans>, other: <Trans>You added {who}</Trans> },
    waitlisted: { other: <Trans>You put {who} on the waitlist</Trans> },
    offered: {
      offered: <Trans>Because of the new dates, {who} has less time to answer</Trans>,
      other: <Trans>You offered {who} a place</Trans>,
    },
    expired: { other: <Trans>The offer to {who} ended because of the new dates</Trans> },
    left: { other: <Trans>You marked {who} as left</Trans> },
  };
  const byAnyone: Record<EnrollmentStatus, Sentences> = {
    enrolled: {
      offered: <Trans>{who} accepted the place</Trans>,
      invited: <Trans>{who} accepted the invitation</Trans>,
      other: <Trans>{who} enrolled</Trans>,
    },
    waitlisted: {
      offered: <Trans>No one could pay you online, so {who} is back on the waitlist</Trans>,
      other: <Trans>{who} joined the waitlist</Trans>,
    },
    offered: { other: <Trans>{who} was offered a free place</Trans> },
    invited: {
      offered: <Trans>{who} didn’t pay in time but is still invited</Trans>,
      other: <Trans>You invited {who}</Trans>,
    },
    declined: {
      invited: <Trans>{who} declined the invitation</Trans>,
      other: <Trans>{who} declined the place</Trans>,
    },
    expired: {
      offered: <Trans>{who} didn’t answer the offer in time</Trans>,
      applied: <Trans>{who} got no answer before the cohort ended</Trans>,
      invited: <Trans>{who} didn’t answer the invitation in time</Trans>,
      other: <Trans>{who} waited until the cohort ended</Trans>,
    },
    left: {
      applied: <Trans>{who} withdrew their request</Trans>,
      waitlisted: <Trans>{who} left the waitlist</Trans>,
      other: <Trans>{who} left</Trans>,
    },
    removed: {
      offered: <Trans>You withdrew the offer to {who}</Trans>,
      other: <Trans>You removed {who}</Trans>,
    },
    applied: { other: <Trans>{who} asked for a place</Trans> },
    refused: { other: <Trans>You turned {who} down</Trans> },
  };
  const sentences = (actor === 'owner' && byOwner[to]) || byAnyone[to];
  return sentences[from ?? 'other'] ?? sentences.other;
}
