import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { EnrollmentActor, EnrollmentStatus } from '#db/values.ts';

type EventProps = {
  event: {
    actor: EnrollmentActor;
    from_status: EnrollmentStatus | null;
    to_status: EnrollmentStatus;
    moved_from: string | null;
  };
  name: string;
};

/** What has happened to someone, in a sentence for the owner. */
export function EventSentence({ event, name }: EventProps): ReactNode {
  const { actor, from_status: from, to_status: to } = event;
  const who = <strong dir="auto">{name}</strong>;
  const isByOwner = actor === 'owner';
  if (event.moved_from !== null) {
    const former = <bdi>{event.moved_from}</bdi>;
    return (
      <Trans>
        You moved {who} here from {former}
      </Trans>
    );
  }
  switch (to) {
    case 'enrolled':
      if (isByOwner) {
        return from === 'applied' ? (
          <Trans>You approved {who}</Trans>
        ) : (
          <Trans>You added {who}</Trans>
        );
      }
      if (from === 'offered') {
        return <Trans>{who} accepted the place</Trans>;
      }
      return from === 'invited' ? (
        <Trans>{who} accepted the invitation</Trans>
      ) : (
        <Trans>{who} enrolled</Trans>
      );
    case 'waitlisted':
      return isByOwner ? (
        <Trans>You put {who} on the waitlist</Trans>
      ) : (
        <Trans>{who} joined the waitlist</Trans>
      );
    case 'offered':
      return isByOwner ? (
        <Trans>You offered {who} a place</Trans>
      ) : (
        <Trans>{who} was offered a free place</Trans>
      );
    case 'invited':
      return <Trans>You invited {who}</Trans>;
    case 'declined':
      return from === 'invited' ? (
        <Trans>{who} declined the invitation</Trans>
      ) : (
        <Trans>{who} declined the place</Trans>
      );
    case 'expired':
      return <Expired from={from} name={name} />;
    case 'left':
      return <Left from={from} name={name} />;
    case 'removed':
      return from === 'offered' ? (
        <Trans>You withdrew the offer to {who}</Trans>
      ) : (
        <Trans>You removed {who}</Trans>
      );
    case 'applied':
      return <Trans>{who} asked for a place</Trans>;
    case 'refused':
      return <Trans>You turned {who} down</Trans>;
  }
}

function Left({ from, name }: Origin) {
  const who = <strong dir="auto">{name}</strong>;
  if (from === 'applied') {
    return <Trans>{who} withdrew their request</Trans>;
  }
  return from === 'waitlisted' ? <Trans>{who} left the waitlist</Trans> : <Trans>{who} left</Trans>;
}

type Origin = { from: EnrollmentStatus | null; name: string };

function Expired({ from, name }: Origin) {
  const who = <strong dir="auto">{name}</strong>;
  if (from === 'offered') {
    return <Trans>{who} didn’t answer the offer in time</Trans>;
  }
  if (from === 'applied') {
    return <Trans>{who} got no answer before the cohort ended</Trans>;
  }
  return from === 'invited' ? (
    <Trans>{who} didn’t answer the invitation in time</Trans>
  ) : (
    <Trans>{who} waited until the cohort ended</Trans>
  );
}
