import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ApiResult } from '#client/call-api.ts';
import { type Content, DraftSaver, type SaveState } from '#features/lessons/draft-saver.ts';
import type { SavedDraft } from '#features/lessons/schema.ts';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

test('what is typed is saved after two seconds of rest, and every ten seconds at the latest', async () => {
  const desk = openDesk();
  await desk.typeAndRest('a', 1_900);
  expect(desk.sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(desk.sent).toEqual([['a', 1]]);

  desk.type('b');
  const stored = vi.waitFor(() => expect(desk.sent).toHaveLength(2));
  for (let second = 0; second < 10; second += 1) {
    await vi.advanceTimersByTimeAsync(1_000);
    desk.type(`b${second}`);
  }
  await stored;
  expect(desk.sent[1]).toEqual(['b8', 2]);
});

test('one save waits for the one before, and builds on its version', async () => {
  const desk = openDesk();
  const first = desk.hold();
  await desk.typeAndRest('a', 2_000);
  await desk.typeAndRest('ab', 20_000);
  expect(desk.sent).toEqual([['a', 1]]);
  expect(desk.kept?.content.title).toBe('ab');

  first({ ok: true, data: saved(2) });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(desk.sent).toEqual([
    ['a', 1],
    ['ab', 2],
  ]);
  expect(desk.state).toMatchObject({ kind: 'saved' });
  expect(desk.kept).toBeNull();
});

test('a text stays in the browser until the server has it, which is tried again and again', async () => {
  const desk = openDesk();
  desk.answer({ ok: false, status: null, body: null, thrown: new TypeError('offline') });
  await desk.typeAndRest('a', 2_000);
  expect(desk.state).toEqual({ kind: 'offline', isKept: true });
  expect(desk.kept).toMatchObject({ content: { title: 'a' }, version: 1 });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(desk.sent.length).toBeLessThan(6);

  desk.answer(null);
  desk.saver.retry();
  await vi.advanceTimersByTimeAsync(0);
  expect(desk.state).toMatchObject({ kind: 'saved' });
  expect(desk.kept).toBeNull();
});

test('nothing is sent before the editor has loaded, or without a title', async () => {
  const desk = openDesk();
  desk.content = null;
  desk.saver.changed();
  await vi.advanceTimersByTimeAsync(20_000);
  await desk.typeAndRest('  ', 20_000);

  expect(desk.sent).toEqual([]);
  expect(desk.state).toMatchObject({ kind: 'refused', message: 'No title' });
  expect(desk.kept?.content.title).toBe('  ');
});

test('what is refused waits for another change, and a session that has ended for its user', async () => {
  const desk = openDesk();
  desk.answer(refusal(400, { fields: { document: ['Too long'] } }));
  await desk.typeAndRest('long', 60_000);
  expect(desk.sent).toHaveLength(1);
  expect(desk.state).toMatchObject({ kind: 'refused', isKept: true });

  desk.answer(refusal(401));
  await desk.typeAndRest('short', 2_000);
  await desk.typeAndRest('shorter', 60_000);
  expect(desk.sent).toHaveLength(2);
  expect(desk.state.kind).toBe('signed-out');

  desk.answer(null);
  desk.saver.retry();
  await vi.advanceTimersByTimeAsync(0);
  expect(desk.sent.at(-1)).toEqual(['shorter', 1]);
});

test('after another tab has saved, nothing is sent until its author has chosen', async () => {
  const desk = openDesk();
  const theirs = { ...textOf('theirs'), draft_version: 5, saved_at: '2027-01-01T00:00:00.000Z' };
  desk.answer(refusal(409, { lesson: theirs }));
  await desk.typeAndRest('mine', 2_000);
  await desk.typeAndRest('mine too', 60_000);
  expect(desk.state).toMatchObject({ kind: 'conflict', theirs: { title: 'theirs' } });
  expect(desk.sent).toEqual([['mine', 1]]);

  // What was typed since is sent once more, so that it is in the versions before it is replaced.
  await desk.saver.takeTheirs((content) => desk.type(content.title));
  expect(desk.sent.at(-1)).toEqual(['mine too', 1]);
  expect(desk.content?.title).toBe('theirs');
  expect([desk.saver.version, desk.saver.isBehind]).toEqual([5, false]);

  await desk.typeAndRest('mine again', 2_000);
  desk.answer(null);
  await desk.saver.keepMine();
  expect(desk.sent.at(-1)).toEqual(['mine again', 5]);
  expect(desk.state.kind).toBe('saved');
});

test('leaving the page sends what is unsaved, and logging out keeps nothing', async () => {
  const desk = openDesk();
  desk.type('a');
  desk.saver.stop();
  expect(desk.sent).toEqual([['a', 1]]);

  const other = openDesk();
  other.type('b');
  other.saver.keep();
  other.saver.discard();
  other.saver.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([other.sent, other.kept]).toEqual([[], null]);
});

type Answer = ApiResult<SavedDraft>;

type Desk = {
  content: Content | null;
  /** Titles, and the version each was based on. */
  sent: [string, number][];
  kept: { content: Content; version: number } | null;
  state: SaveState;
};

/** An author at work, with a server that accepts everything unless told otherwise. */
function openDesk() {
  let answer: Answer | null = null;
  let held: Promise<Answer> | null = null;
  const desk: Desk = { content: textOf(''), sent: [], kept: null, state: { kind: 'saving' } };
  const saver = new DraftSaver(1, '2027-01-01T00:00:00.000Z', {
    read: () => desk.content,
    async send({ title }, basedOn) {
      desk.sent.push([title, basedOn]);
      const wait = held;
      held = null;
      return (await wait) ?? answer ?? { ok: true, data: saved(basedOn + 1) };
    },
    keep(content, version) {
      desk.kept = { content, version };
      return true;
    },
    forget: () => {
      desk.kept = null;
    },
    show: (state) => {
      desk.state = state;
    },
    messageOf: () => 'Refused',
    untitled: 'No title',
  });
  const type = (title: string) => {
    desk.content = textOf(title);
    saver.changed();
  };
  return Object.assign(desk, {
    saver,
    type,
    /** Types, and lets so many milliseconds pass. */
    async typeAndRest(title: string, ms: number) {
      type(title);
      await vi.advanceTimersByTimeAsync(ms);
    },
    answer: (next: Answer | null) => {
      answer = next;
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<Answer>();
      held = promise;
      return resolve;
    },
  });
}

function textOf(title: string): Content {
  return { title, document: { type: 'doc', content: [] } };
}

function saved(version: number): SavedDraft {
  return { draft_version: version, saved_at: '2027-01-01T10:00:00.000Z', words: 1 };
}

function refusal(status: number, more: object = {}): Answer {
  return { ok: false, status, body: { code: 'x', message: 'x', request_id: 'x', ...more } };
}
