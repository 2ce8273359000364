'use client';

import {
  type DragEvent,
  type MouseEvent,
  type ReactNode,
  startTransition,
  useEffect,
  useOptimistic,
  useRef,
  useState,
} from 'react';
import { callApi } from '#client/call-api.ts';
import { reportFailure } from '#client/failures.ts';
import { useFinish } from '#client/use-finish.ts';
import type { sectionModes } from '#db/values.ts';
import { closeMenu } from '#features/cohorts/cohort-button.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { simplify } from '#lib/text.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { OpenButton } from '#ui/dialog.tsx';
import { lessonApi } from './lesson-paths.ts';
import { NewLessonDialog, NewSectionDialog } from './new-dialogs.tsx';
import { newLessonId, newSectionId } from './outline-ids.ts';
import { OutlineMenus } from './outline-menus.tsx';
import { isInPlace, type Move, moved, placeOf } from './outline-order.ts';
import { LessonRow, SectionLine } from './outline-rows.tsx';
import type { openingTexts, outlineTexts } from './outline-texts.ts';

/** A lesson as the outline shows it, with its words. */
export type ShownLesson = {
  id: string;
  title: string;
  state: 'draft' | 'changed' | 'published';
  version: number;
  /** Whether anyone has opened it, who would no longer find it. */
  isOpened: boolean;
  /** As it was typed. */
  typedMinutes: number | null;
  minutes: string;
  /** Of the chosen cohort, as parts of its people; null without one, and of drafts. */
  progress: { words: string; opened: number; done: number } | null;
};

export type ShownSection = {
  id: string;
  title: string | null;
  /** After how many days it opens; null: at once. */
  releaseDays: number | null;
  /** When it opens; null where all do at once. */
  opens: string | null;
  /** What the chosen cohort does with it; null without one. */
  opening: ShownOpening | null;
  lessons: ShownLesson[];
};

export type ShownOpening = {
  /** When it opens there as the course says. */
  rule: string;
  mode: (typeof sectionModes)[number] | null;
  opensLocal: string | null;
  meetingId: string | null;
  edge: 'start' | 'end' | null;
};

/** The cohort in which sections can open otherwise, and its live sessions. */
export type OpeningCohort = {
  /** The first and the last day that can be typed. */
  days: { min: string; max: string };
  id: string;
  name: string;
  meetings: { id: string; words: string }[];
  /** What its dialog says. */
  texts: ReturnType<typeof openingTexts>;
};

type OutlineProps = {
  courseId: string;
  sections: ShownSection[];
  /** Between which two lessons most people have stopped. */
  drop: { after: string; next: string; words: string } | null;
  /** Null in an evergreen course, and without a cohort. */
  cohort: OpeningCohort | null;
  messages: FormMessages;
  texts: ReturnType<typeof outlineTexts>;
  /** Above the outline, with buttons that open its dialogs. */
  head: ReactNode;
  /** Whose progress it shows. */
  progress: ReactNode;
  /** In the place of an outline without anything. */
  empty: ReactNode;
};

/** What is being dragged or has its menu open. */
export type Part = { kind: Move['kind']; id: string };

/** From this many lessons on, there is a search field. */
const filterFrom = 8;

/** The lessons of a course in their order, which can be changed here. */
export function Outline(props: OutlineProps) {
  const { courseId, drop, messages, texts } = props;
  const { sections, said, move, ref } = useMoves(props.sections, texts);
  const [filter, setFilter] = useState('');
  const [into, setInto] = useState<string | null>(null);
  const dragging = useDrag(sections, move);
  const wanted = simplify(filter.trim());
  const isFiltered = wanted !== '';
  const all = sections.flatMap(({ lessons }) => lessons);
  const isFound = ({ title }: ShownLesson) => simplify(title).includes(wanted);
  const hasLines = sections.length > 1 || sections.some(({ title }) => title !== null);
  const nextOf = (id: string) =>
    published(all)[published(all).findIndex((one) => one.id === id) + 1];

  /** Before the browser opens the dialog. */
  function chooseSection({ target }: MouseEvent): void {
    const opener = (target as Element).closest<HTMLElement>('button[data-into]');
    if (opener !== null) {
      setInto(opener.dataset.into || null);
    }
  }

  return (
    // Where the focus goes when what had it is gone.
    <div
      ref={ref}
      tabIndex={-1}
      className="grid grid-cols-1 gap-6 outline-none"
      onClickCapture={chooseSection}
    >
      {props.head}
      {sections.length === 0 && props.empty}
      {all.length > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          {all.length >= filterFrom && (
            <search className="roster-search max-w-75 flex-[1_1_14rem] @max-[44rem]/page:max-w-none">
              <input
                type="search"
                className="input"
                aria-label={texts.filter}
                placeholder={texts.filter}
                autoComplete="off"
                spellCheck={false}
                value={filter}
                onChange={({ target }) => setFilter(target.value)}
              />
            </search>
          )}
          {props.progress}
        </div>
      )}
      {/* Says something to the eye only while a search finds nothing. */}
      <p role="status" className={isFiltered ? 'text-muted empty:absolute' : 'sr-only'}>
        {isFiltered ? all.some(isFound) || texts.nothingFound : said}
      </p>
      {sections.length > 0 && (
        <div
          className="outline -mt-2 grid grid-cols-1"
          data-filtered={isFiltered || undefined}
          data-dragging={dragging.part?.kind}
          {...dragging.area}
        >
          {sections.map((section) => {
            const found = section.lessons.filter(isFound);
            const place = dragging.place;
            const isTarget = place?.kind === 'lesson' && place.sectionId === section.id;
            return isFiltered && found.length === 0 ? null : (
              <section
                key={section.id}
                aria-labelledby={hasLines ? `section-${section.id}` : undefined}
                className="outline-section"
                data-section={section.id}
                data-drop={isPlaceOf(place, 'section', section.id) || undefined}
              >
                {hasLines && (
                  <SectionLine section={section} texts={texts} onDragStart={dragging.start} />
                )}
                <ol data-drop={(isTarget && place.before === null) || undefined}>
                  {found.map((lesson) => (
                    <LessonRow
                      key={lesson.id}
                      lesson={lesson}
                      number={all.indexOf(lesson) + 1}
                      isTarget={isTarget && place.before === lesson.id}
                      texts={texts}
                      onDragStart={dragging.start}
                      drop={
                        !isFiltered &&
                        drop?.after === lesson.id &&
                        nextOf(lesson.id)?.id === drop.next
                          ? drop.words
                          : null
                      }
                    />
                  ))}
                </ol>
                {!isFiltered && (
                  <OpenButton
                    dialogId={newLessonId}
                    className="outline-new"
                    data-into={section.id}
                    aria-describedby={hasLines ? `section-${section.id}` : undefined}
                  >
                    <span className="icon icon-plus size-4.5" />
                    {texts.newLesson.title}
                  </OpenButton>
                )}
              </section>
            );
          })}
          {!isFiltered && (
            <div
              className="outline-end mt-3 border-t border-line pt-5"
              data-drop={isPlaceOf(dragging.place, 'section', null) || undefined}
            >
              <OpenButton dialogId={newSectionId} className="button @max-[44rem]/page:w-full">
                <span className="icon icon-plus" />
                {texts.newSection.title}
              </OpenButton>
            </div>
          )}
        </div>
      )}
      <OutlineMenus
        sections={sections}
        cohort={props.cohort}
        messages={messages}
        texts={texts}
        onMove={move}
        onGone={() => ref.current?.focus()}
      />
      <NewLessonDialog
        courseId={courseId}
        into={into}
        messages={messages}
        texts={texts.newLesson}
      />
      <NewSectionDialog courseId={courseId} messages={messages} texts={texts.newSection} />
    </div>
  );
}

function published(lessons: ShownLesson[]): ShownLesson[] {
  return lessons.filter(({ state }) => state !== 'draft');
}

function isPlaceOf(place: Move | null, kind: Move['kind'], before: string | null): boolean {
  return place?.kind === kind && place.before === before;
}

/**
 * Moves lessons and sections at once, and sends one move after the other. If one fails, the outline
 * is again as the server has it.
 */
function useMoves(stored: ShownSection[], texts: OutlineProps['texts']) {
  const [sections, moveAhead] = useOptimistic(stored, (before: ShownSection[], one: Move) =>
    moved<ShownLesson, ShownSection>(before, one),
  );
  const [said, setSaid] = useState('');
  const ref = useRef<HTMLDivElement>(null);
  const focusRef = useRef<string | null>(null);
  const queueRef = useRef(Promise.resolve());
  const refresh = useRefresh();
  const finish = useFinish();

  useEffect(() => {
    const id = focusRef.current;
    if (id !== null) {
      focusRef.current = null;
      ref.current?.querySelector<HTMLElement>(`button[data-part="${id}"]`)?.focus();
    }
  });

  async function send(one: Move): Promise<void> {
    const { id, before } = one;
    const result =
      one.kind === 'lesson'
        ? await callApi(lessonApi.move(id), { input: { section_id: one.sectionId, before } })
        : await callApi(lessonApi.moveSection(id), { input: { before } });
    if (result.ok) {
      await refresh();
    } else if (result.status === 404) {
      // Something was removed in another tab: the page shows what is left.
      await finish(texts.movedElsewhere, 'failed');
    } else {
      setSaid('');
      reportFailure(result, () => move(one));
    }
  }

  function move(one: Move): void {
    if (isInPlace<ShownLesson, ShownSection>(sections, one)) {
      return;
    }
    closeMenu();
    focusRef.current = one.id;
    setSaid(sentenceOf(moved<ShownLesson, ShownSection>(sections, one), one, texts));
    startTransition(async () => {
      moveAhead(one);
      const sent = queueRef.current.then(() => send(one));
      queueRef.current = sent;
      await sent;
    });
  }

  return { sections, said, move, ref };
}

/** “Scenes is now 3 of 9 in Week two.” */
function sentenceOf(sections: ShownSection[], one: Move, texts: OutlineProps['texts']): string {
  const section = sections.find(
    ({ id }) => id === (one.kind === 'lesson' ? one.sectionId : one.id),
  );
  const items = one.kind === 'lesson' ? (section?.lessons ?? []) : sections;
  const { place, count } = placeOf(items, one.id);
  const name = section?.title ?? texts.untitled;
  const title =
    one.kind === 'lesson' ? (section?.lessons.find(({ id }) => id === one.id)?.title ?? '') : name;
  const lessonIsNow = sections.length === 1 ? texts.isNow : texts.isNowIn;
  const words = { title, section: name, place: String(place), count: String(count) };
  return (one.kind === 'section' ? texts.sectionIsNow : lessonIsNow).replace(
    /\{(title|section|place|count)\}/g,
    (_, key: keyof typeof words) => words[key],
  );
}

/** What is dragged by its handle, and where it would go. */
function useDrag(sections: ShownSection[], move: (one: Move) => void) {
  const [part, setPart] = useState<Part | null>(null);
  const [place, setPlace] = useState<Move | null>(null);

  function end(): void {
    setPart(null);
    setPlace(null);
  }

  return {
    part,
    /** Where it would go; null where it is. */
    place,
    start(event: DragEvent, one: Part): void {
      const row = event.currentTarget.closest<HTMLElement>('[data-row]');
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', row?.innerText ?? '');
      if (row !== null) {
        event.dataTransfer.setDragImage(row, 0, row.offsetHeight / 2);
      }
      setPart(one);
    },
    area: {
      onDragOver(event: DragEvent): void {
        const next = part && placeAt(event, part);
        if (next === null) {
          return;
        }
        event.preventDefault();
        const shown = isInPlace<ShownLesson, ShownSection>(sections, next) ? null : next;
        if (JSON.stringify(shown) !== JSON.stringify(place)) {
          setPlace(shown);
        }
      },
      onDrop(event: DragEvent): void {
        event.preventDefault();
        if (place !== null) {
          move(place);
        }
        end();
      },
      onDragEnd: end,
    },
  };
}

/** Where the pointer is: before the first row or section whose middle is below it. */
function placeAt({ currentTarget, target, clientY }: DragEvent, part: Part): Move | null {
  const before = (of: Element, selector: string) =>
    [...of.querySelectorAll<HTMLElement>(selector)].find((one) => {
      const { top, height } = one.getBoundingClientRect();
      return clientY < top + height / 2;
    });
  if (part.kind === 'section') {
    const next = before(currentTarget, '[data-section]');
    return { ...part, kind: 'section', before: next?.dataset.section ?? null };
  }
  const section = (target as Element).closest<HTMLElement>('[data-section]');
  const sectionId = section?.dataset.section;
  if (section === null || sectionId === undefined) {
    return null;
  }
  const next = before(section, '[data-lesson]');
  return { ...part, kind: 'lesson', sectionId, before: next?.dataset.lesson ?? null };
}
