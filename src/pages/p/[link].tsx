import type { PageProps } from 'waku/router';
import { feedAddress } from '#features/calendar/change-feed.ts';
import { openParticipant, toParticipation } from '#features/participant/find-participant.ts';
import { DeadLinkPage, PersonPage } from '#features/participant/person-page.tsx';
import { shownColumns } from '#features/participant/place-card.tsx';
import { pick } from '#lib/to-json.ts';
import { pageData, pageRequest, readIn } from '#page-request.ts';

/** A person's page, by the link in their emails. Opening it changes nothing. */
export default async function ParticipantPage({ link, query }: PageProps<'/p/[link]'>) {
  const { ctx } = pageRequest();
  const person = await pageData(openParticipant(ctx, link));
  if (person === null) {
    return <DeadLinkPage link={link} />;
  }
  const { participant, enrollments, meetings } = person;
  readIn(participant.language, query, `/p/${link}?`);
  const now = ctx.now();
  const places = enrollments.map((row) => ({
    ...pick(row, shownColumns),
    ...toParticipation(ctx, row),
    isOver: row.endsAt <= now || row.archivedAt !== null,
    meetings: meetings.filter(({ enrollmentId }) => enrollmentId === row.id),
    coming: meetings.filter(
      ({ enrollmentId, startsAt, durationMinutes }) =>
        enrollmentId === row.id && startsAt + durationMinutes * 60_000 > now.getTime(),
    ),
  }));
  // An open run is in no calendar.
  const isIn = places.some(
    ({ kind, status, is_canceled }) => kind === 'dated' && status === 'enrolled' && !is_canceled,
  );
  return (
    <PersonPage
      link={link}
      participant={participant}
      places={places}
      now={now}
      checkoutOrigin={ctx.config.stripe?.checkoutOrigin ?? ''}
      calendarUrl={isIn ? await feedAddress(ctx, { kind: 'personFeed', ...participant }) : null}
    />
  );
}
