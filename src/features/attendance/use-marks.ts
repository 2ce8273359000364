'use client';

import { useEffect, useMemo, useState } from 'react';
import { type ApiFailure, callApi } from '#client/call-api.ts';
import { reportFailure } from '#client/failures.ts';
import { withStorage } from '#lib/browser-storage.ts';
import { attendancePaths } from './attendance-paths.ts';

/** Marks by the id of an enrollment; null: not marked. */
type Marks = Record<string, boolean | null>;

/** The same by the id of a session. */
type MarksBySession = Record<string, Marks>;

/** Who marks, in which cohort. */
export type OfViewer = { viewerId: string; cohortId: string };

/** How long until what could not be sent is tried again. */
const retryMs = 15_000;

/** As many as one request takes. */
const mostAtOnce = 200;

/**
 * The marks of live sessions. A press shows at once and is sent at once; without a connection this
 * browser keeps it, also while the page is closed, and sends it later, when who has pressed is back.
 *
 * @param stored the marks as the page has them
 */
export function useMarks(
  { viewerId, cohortId }: OfViewer,
  meetingIds: readonly string[],
  stored: MarksBySession,
) {
  const [shown, setShown] = useState<MarksBySession>({});
  const [isOffline, setIsOffline] = useState(false);
  const [unsent, setUnsent] = useState(0);
  const [sent, setSent] = useState(0);
  const queue = useMemo(() => new Queue({ setShown, setUnsent, setIsOffline, setSent }), []);

  const ids = meetingIds.join();
  useEffect(
    () => queue.start({ viewerId, cohortId }, ids === '' ? [] : ids.split(',')),
    [queue, viewerId, cohortId, ids],
  );

  return {
    markOf: (meetingId: string, enrollmentId: string): boolean | null => {
      const own = shown[meetingId]?.[enrollmentId];
      return own === undefined ? (stored[meetingId]?.[enrollmentId] ?? null) : own;
    },
    mark: (meetingId: string, marks: Marks) => queue.add(meetingId, marks),
    isOffline,
    unsent,
    /** How many requests were answered. */
    sent,
  };
}

type States = {
  setShown: (change: (shown: MarksBySession) => MarksBySession) => void;
  setUnsent: (count: number) => void;
  setIsOffline: (isOffline: boolean) => void;
  setSent: (change: (count: number) => number) => void;
};

/** What waits to be sent, by session, in the order of presses: what is pressed last counts. */
class Queue {
  #waiting: MarksBySession = {};
  #sending = new Set<string>();
  #of: OfViewer = { viewerId: '', cohortId: '' };
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #states: States;

  constructor(states: States) {
    this.#states = states;
  }

  /** Takes up what this browser has kept; returns the function that stops. */
  start(of: OfViewer, meetingIds: readonly string[]): () => void {
    this.#of = of;
    for (const id of meetingIds) {
      const kept = keptIn(this.#keyOf(id));
      if (Object.keys(kept).length > 0) {
        this.#waiting[id] = { ...kept, ...this.#waiting[id] };
        this.#states.setShown((shown) => ({
          ...shown,
          [id]: { ...shown[id], ...this.#waiting[id] },
        }));
      }
    }
    this.#count();
    const sendAll = () => this.#sendAll();
    sendAll();
    window.addEventListener('online', sendAll);
    return () => {
      window.removeEventListener('online', sendAll);
      clearTimeout(this.#timer);
    };
  }

  add(meetingId: string, marks: Marks): void {
    this.#waiting[meetingId] = { ...this.#waiting[meetingId], ...marks };
    this.#states.setShown((shown) => ({
      ...shown,
      [meetingId]: { ...shown[meetingId], ...marks },
    }));
    this.#keep(meetingId, Object.keys(marks));
    void this.#send(meetingId);
  }

  #sendAll(): void {
    for (const id of Object.keys(this.#waiting)) {
      void this.#send(id);
    }
  }

  async #send(meetingId: string): Promise<void> {
    const sent = Object.entries(this.#waiting[meetingId] ?? {}).slice(0, mostAtOnce);
    if (sent.length === 0 || this.#sending.has(meetingId)) {
      return;
    }
    this.#sending.add(meetingId);
    const result = await callApi(attendancePaths.ofMeeting(this.#of.cohortId, meetingId), {
      method: 'PUT',
      input: {
        marks: sent.map(([id, isPresent]) => ({ enrollment_id: id, is_present: isPresent })),
      },
    });
    this.#sending.delete(meetingId);
    if (!result.ok && mayWorkLater(result)) {
      this.#states.setIsOffline(true);
      clearTimeout(this.#timer);
      if (result.status !== 404) {
        this.#timer = setTimeout(() => this.#sendAll(), retryMs);
      }
      if (result.status !== null) {
        reportFailure(result, () => this.#sendAll());
      }
      return;
    }
    this.#states.setIsOffline(false);
    this.#states.setSent((count) => count + 1);
    for (const [id, isPresent] of sent) {
      // Pressed again meanwhile, it is sent again.
      if (this.#waiting[meetingId]?.[id] === isPresent) {
        delete this.#waiting[meetingId][id];
      }
      if (!result.ok) {
        this.#states.setShown((shown) => ({
          ...shown,
          [meetingId]: without(shown[meetingId], id),
        }));
      }
    }
    this.#keep(
      meetingId,
      sent.map(([id]) => id),
    );
    if (!result.ok) {
      reportFailure(result, () => undefined);
    }
    void this.#send(meetingId);
  }

  /** Writes what waits of some people into this browser, beside what other tabs keep there. */
  #keep(meetingId: string, ids: string[]): void {
    const key = this.#keyOf(meetingId);
    const waiting = this.#waiting[meetingId] ?? {};
    const others = ids.reduce((marks, id) => without(marks, id), keptIn(key));
    const marks = { ...others, ...waiting };
    withStorage('localStorage', (storage) =>
      Object.keys(marks).length === 0
        ? storage.removeItem(key)
        : storage.setItem(key, JSON.stringify(marks)),
    );
    this.#count();
  }

  /** What this browser keeps of a session until it is sent: another account does not see it. */
  #keyOf(meetingId: string): string {
    return `attendance:${this.#of.viewerId}:${meetingId}`;
  }

  #count(): void {
    const counts = Object.values(this.#waiting).map((marks) => Object.keys(marks).length);
    this.#states.setUnsent(counts.reduce((sum, count) => sum + count, 0));
  }
}

/**
 * Without an answer, or with one that says nothing about the marks. 404: someone else has logged in
 * here; the marks wait until their owner opens the page.
 */
function mayWorkLater({ status }: ApiFailure): boolean {
  return status === null || [401, 404, 429].includes(status) || status >= 500;
}

function without(marks: Marks = {}, id: string): Marks {
  const { [id]: _left, ...others } = marks;
  return others;
}

/** What cannot be read is discarded. */
function keptIn(key: string): Marks {
  try {
    const text = withStorage('localStorage', (storage) => storage.getItem(key));
    const kept: unknown = JSON.parse(text ?? '{}');
    const marks = Object.entries(typeof kept === 'object' && kept !== null ? kept : {});
    return Object.fromEntries(
      marks.filter(([, mark]) => mark === null || typeof mark === 'boolean'),
    );
  } catch {
    return {};
  }
}
