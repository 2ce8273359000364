'use client';

import type { ReactNode } from 'react';
import { type Numbered, withNumber } from '#lib/numbered-texts.ts';
import { type OfViewer, useMarks } from './use-marks.ts';

type AllMarks = ReturnType<typeof useMarks>;

export type PresenceTexts = {
  present: string;
  absent: string;
  counts: { present: Numbered; absent: Numbered; open: Numbered };
  markAll: Numbered;
  unsent: Numbered;
};

export type Person = { id: string; name: string; head: ReactNode };

type WhoIsHereProps = OfViewer & {
  meetingId: string;
  people: Person[];
  /** The marks as the page has them. */
  stored: Record<string, boolean>;
  locale: string;
  title: ReactNode;
  texts: PresenceTexts;
};

/** Everyone at one session, each with two toggles. */
export function WhoIsHere({ viewerId, cohortId, stored, ...list }: WhoIsHereProps) {
  const marks = useMarks({ viewerId, cohortId }, [list.meetingId], { [list.meetingId]: stored });
  return <PresenceList {...list} marks={marks} />;
}

type PresenceListProps = Omit<WhoIsHereProps, keyof OfViewer | 'stored'> & { marks: AllMarks };

/** The marks of one session. Pressing the pressed one clears it. */
export function PresenceList(props: PresenceListProps) {
  const { marks, meetingId, people, locale, title, texts } = props;
  const markOf = ({ id }: Person) => marks.markOf(meetingId, id);
  const open = people.filter((person) => markOf(person) === null);
  const countOf = (mark: boolean) => people.filter((person) => markOf(person) === mark).length;
  const counts = [
    withNumber(texts.counts.present, countOf(true), locale),
    withNumber(texts.counts.absent, countOf(false), locale),
    ...(open.length > 0 ? [withNumber(texts.counts.open, open.length, locale)] : []),
  ];
  const toggles = [
    { isPresent: true, label: texts.present, icon: 'icon-check' },
    { isPresent: false, label: texts.absent, icon: 'icon-close' },
  ];
  return (
    <>
      <div className="mb-3 flex min-h-13 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>
          {title}
          <p className="text-muted text-sm" role="status">
            {counts.join(', ')}
          </p>
        </div>
        {open.length > 0 && (
          <button
            type="button"
            className="button button-small"
            onClick={() =>
              marks.mark(meetingId, Object.fromEntries(open.map(({ id }) => [id, true])))
            }
          >
            {withNumber(texts.markAll, open.length, locale)}
          </button>
        )}
      </div>
      <Unsent marks={marks} text={texts.unsent} locale={locale} />
      <ul className="who-is-here">
        {people.map((person) => (
          <li key={person.id}>
            {person.head}
            <div className="presence">
              {toggles.map(({ isPresent, label, icon }) => {
                const isPressed = markOf(person) === isPresent;
                return (
                  <button
                    key={label}
                    type="button"
                    aria-pressed={isPressed}
                    onClick={() =>
                      marks.mark(meetingId, { [person.id]: isPressed ? null : isPresent })
                    }
                  >
                    <span className={`icon ${icon}`} />
                    {/* Not an aria-label, which error reports wouldn't mask. */}
                    <span className="sr-only">{`${person.name}: ${label}`}</span>
                    <span aria-hidden="true">{label}</span>
                  </button>
                );
              })}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

type UnsentProps = {
  marks: AllMarks;
  text: Numbered;
  locale: string;
};

/** What this browser keeps until there is a connection. */
export function Unsent({ marks: { isOffline, unsent }, text, locale }: UnsentProps) {
  return (
    <div role="status">
      {isOffline && unsent > 0 && (
        <p className="notice my-3 flex gap-3 border-0">
          <span className="icon icon-clock" />
          {withNumber(text, unsent, locale)}
        </p>
      )}
    </div>
  );
}
