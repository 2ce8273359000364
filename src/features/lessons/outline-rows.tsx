import type { DragEvent } from 'react';
import { lessonPaths } from './lesson-paths.ts';
import type { Part, ShownLesson, ShownSection } from './outline.tsx';
import { lessonMenuId, sectionMenuId } from './outline-ids.ts';
import type { outlineTexts } from './outline-texts.ts';

type RowProps = {
  texts: ReturnType<typeof outlineTexts>;
  onDragStart: (event: DragEvent, part: Part) => void;
};

type LessonRowProps = RowProps & {
  lesson: ShownLesson;
  number: number;
  /** Whether what is dragged would go before it. */
  isTarget: boolean;
  /** How many people stopped after it; null unless that is the largest drop. */
  drop: string | null;
};

/** A lesson as a line of a table of contents. */
export function LessonRow({ lesson, number, isTarget, drop, texts, onDragStart }: LessonRowProps) {
  const { id, title, state, minutes, progress } = lesson;
  return (
    <li data-lesson={id} data-drop={isTarget || undefined}>
      <div className="outline-row" data-row>
        <Handle part={{ kind: 'lesson', id }} onDragStart={onDragStart} />
        <span className="font-serif text-lg/6 font-semibold text-muted tabular-nums [grid-area:number]">
          {number}
        </span>
        {/* Otherwise the browser would drag the link. */}
        <a href={lessonPaths.lesson(id)} className="outline-title" dir="auto" draggable={false}>
          {title}
        </a>
        <span className="outline-state [grid-area:state]">
          <span
            className={state === 'published' ? 'lesson-state' : 'lesson-state chip'}
            data-state={state}
          >
            {texts.states[state]}
          </span>
        </span>
        {progress && <TwoPartBar {...progress} />}
        {/* One line on a phone. */}
        <span className="outline-facts">
          {progress && (
            <span className="outline-counts text-sm/5 [grid-area:counts]">{progress.words}</span>
          )}
          <span className="text-end text-[0.875rem] whitespace-nowrap text-muted [grid-area:minutes]">
            {minutes}
          </span>
        </span>
        <MenuButton
          part={{ kind: 'lesson', id }}
          menuId={lessonMenuId}
          label={texts.more.replace('{title}', () => title)}
        />
      </div>
      {drop !== null && (
        <p className="drop-strip icon-before icon-drop">
          <span>{drop}</span>
        </p>
      )}
    </li>
  );
}

/** The heading of a section. */
export function SectionLine({ section, texts, onDragStart }: RowProps & { section: ShownSection }) {
  const { id } = section;
  const title = section.title ?? texts.untitled;
  return (
    <div className="outline-line" data-row>
      <Handle part={{ kind: 'section', id }} onDragStart={onDragStart} />
      <h2 id={`section-${id}`} dir="auto" data-untitled={section.title === null || undefined}>
        {title}
      </h2>
      {section.opens !== null && <p className="outline-opens">{section.opens}</p>}
      <MenuButton
        part={{ kind: 'section', id }}
        menuId={sectionMenuId}
        label={texts.more.replace('{title}', () => title)}
      />
    </div>
  );
}

type HandleProps = { part: Part; onDragStart: RowProps['onDragStart'] };

/** For the mouse; keyboards and touch screens have the menu. */
function Handle({ part, onDragStart }: HandleProps) {
  return (
    <span
      className="outline-handle"
      aria-hidden="true"
      draggable
      onDragStart={(event) => onDragStart(event, part)}
    >
      <span className="icon icon-grip size-4" />
    </span>
  );
}

type MenuButtonProps = { part: Part; menuId: string; label: string };

function MenuButton({ part, menuId, label }: MenuButtonProps) {
  return (
    <button
      type="button"
      className="icon-button outline-menu z-1 justify-self-end [grid-area:menu]"
      popoverTarget={menuId}
      data-part={part.id}
      data-kind={part.kind}
      aria-label={label}
    >
      <span className="icon icon-more" />
    </button>
  );
}

/** Done and opened, as parts of all people. The words beside it say the same. */
function TwoPartBar({ opened, done }: { opened: number; done: number }) {
  return (
    <svg className="two-part-bar" aria-hidden="true">
      <line x2="100%" y1="50%" y2="50%" />
      <line x2={`${opened * 100}%`} y1="50%" y2="50%" data-kind="opened" />
      <line x2={`${done * 100}%`} y1="50%" y2="50%" data-kind="done" />
    </svg>
  );
}
