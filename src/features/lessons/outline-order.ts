/** What an order needs to know of an outline. */
type Section<Lesson> = { id: string; lessons: Lesson[] };

/** A lesson or a section, and before which other one it goes: null for the end. */
export type Move =
  | { kind: 'lesson'; id: string; sectionId: string; before: string | null }
  | { kind: 'section'; id: string; before: string | null };

/** The outline after a move, as the server will have it; unchanged if something is gone. */
export function moved<Lesson extends { id: string }, Part extends Section<Lesson>>(
  sections: Part[],
  move: Move,
): Part[] {
  if (move.kind === 'section') {
    const section = sections.find(({ id }) => id === move.id);
    return section === undefined ? sections : placed(sections, section, move.before);
  }
  const lesson = sections.flatMap(({ lessons }) => lessons).find(({ id }) => id === move.id);
  return lesson === undefined
    ? sections
    : sections.map((section) => ({
        ...section,
        lessons:
          section.id === move.sectionId
            ? placed(section.lessons, lesson, move.before)
            : section.lessons.filter(({ id }) => id !== move.id),
      }));
}

function placed<Item extends { id: string }>(
  items: Item[],
  item: Item,
  before: string | null,
): Item[] {
  const others = items.filter(({ id }) => id !== item.id);
  const at = others.findIndex(({ id }) => id === before);
  const index = at === -1 ? others.length : at;
  return [...others.slice(0, index), item, ...others.slice(index)];
}

/** Whether an outline is the same after a move. */
export function isInPlace<Lesson extends { id: string }, Part extends Section<Lesson>>(
  sections: Part[],
  move: Move,
): boolean {
  return orderOf(sections) === orderOf(moved<Lesson, Part>(sections, move));
}

function orderOf(sections: Section<{ id: string }>[]): string {
  return sections.map(({ id, lessons }) => [id, ...lessons.map((one) => one.id)].join()).join(';');
}

/** One place up or down, also into the section beside; null at either end of the outline. */
export function stepOf(
  sections: Section<{ id: string }>[],
  kind: Move['kind'],
  id: string,
  step: 'up' | 'down',
): Move | null {
  if (kind === 'section') {
    const at = sections.findIndex((section) => section.id === id);
    const isPossible = step === 'up' ? at > 0 : at < sections.length - 1;
    const before = sections[step === 'up' ? at - 1 : at + 2]?.id ?? null;
    return isPossible ? { kind, id, before } : null;
  }
  const at = sections.findIndex(({ lessons }) => lessons.some((lesson) => lesson.id === id));
  const { id: sectionId = '', lessons = [] } = sections[at] ?? {};
  const place = lessons.findIndex((lesson) => lesson.id === id);
  if (step === 'up' ? place > 0 : place < lessons.length - 1) {
    const before = lessons[step === 'up' ? place - 1 : place + 2]?.id ?? null;
    return { kind, id, sectionId, before };
  }
  const beside = sections[step === 'up' ? at - 1 : at + 1];
  const before = step === 'up' ? null : (beside?.lessons[0]?.id ?? null);
  return beside === undefined ? null : { kind, id, sectionId: beside.id, before };
}

/** Where something is, from 1, of how many. */
export function placeOf(items: { id: string }[], id: string): { place: number; count: number } {
  return { place: items.findIndex((item) => item.id === id) + 1, count: items.length };
}
