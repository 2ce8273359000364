'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { courseMenuId, sidebarId } from '#features/shell/sidebar-state.ts';
import { onShortcut } from '#ui/shortcut.ts';
import { useCourseChoice } from './course-choice.tsx';
import { CourseKeys } from './course-keys.tsx';
import { CourseTile } from './course-tile.tsx';
import { openCourseMenu } from './open-course-menu.ts';

/** From this many courses on, there is a search field. */
const filterFrom = 8;

type CourseSelectorProps = {
  texts: { label: string; filter: string; nothingFound: string; keys: string; keysTip: string };
  newCourse: ReactNode;
};

/** The selected course and a menu of all. */
export function CourseSelector({ texts, newCourse }: CourseSelectorProps) {
  const { courses, chosen, isPending, choose } = useCourseChoice();
  const menuRef = useRef<HTMLDivElement>(null);
  const listRef = useRef<HTMLDivElement>(null);
  const [filter, setFilter] = useState('');
  const wanted = simplify(filter);
  const found = courses.filter(({ name }) => simplify(name).includes(wanted));
  const stopId = (found.find(({ id }) => id === chosen.id) ?? found[0])?.id;

  function select(id: string): void {
    menuRef.current?.hidePopover();
    // On a phone, the sheet.
    document.getElementById(sidebarId)?.hidePopover();
    void choose(id);
  }

  function search(text: string): void {
    const { current: list } = listRef;
    // The menu keeps its height, however few are found.
    if (list?.style.height === '') {
      list.style.height = `${list.getBoundingClientRect().height}px`;
    }
    setFilter(text);
  }

  function startOver(): void {
    listRef.current?.style.removeProperty('height');
    setFilter('');
  }

  useEffect(() => onShortcut('k', openCourseMenu), []);

  return (
    <>
      <button
        type="button"
        className="course-trigger"
        popoverTarget={courseMenuId}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        aria-busy={isPending}
        data-tip={`${chosen.name} ${texts.keysTip}`}
      >
        <CourseTile course={chosen} className="tile tile-small" isBusy={isPending} />
        <span className="sidebar-label min-w-0 flex-1">
          <span className="sr-only">{texts.label} </span>
          <span className="block truncate font-semibold">{chosen.name}</span>
          <span className="course-type">{chosen.type}</span>
        </span>
        <span className="icon icon-updown sidebar-label" />
      </button>
      <div
        ref={menuRef}
        id={courseMenuId}
        popover="auto"
        role="dialog"
        aria-label={texts.label}
        data-menu
        className="menu course-menu"
        onToggle={startOver}
      >
        {courses.length >= filterFrom && (
          <label className="search">
            <span className="icon icon-search" />
            <input
              type="search"
              className="input"
              aria-label={texts.filter}
              placeholder={texts.filter}
              aria-controls="course-list"
              autoComplete="off"
              spellCheck={false}
              value={filter}
              onChange={({ target }) => search(target.value)}
              onKeyDown={(event) => {
                const [first] = found;
                if (event.key === 'Enter' && wanted !== '' && first !== undefined) {
                  // Otherwise it would also press the button that the focus returns to.
                  event.preventDefault();
                  select(first.id);
                }
              }}
            />
            <CourseKeys keys={texts.keys} />
          </label>
        )}
        <div ref={listRef} className="course-list">
          <div id="course-list" role="listbox" aria-label={texts.label}>
            {found.map((course, index) => (
              <button
                key={course.id}
                type="button"
                role="option"
                aria-selected={course.id === chosen.id}
                // One tab stop; arrows move from there.
                tabIndex={course.id === stopId ? 0 : -1}
                className="menu-item"
                data-first={(wanted !== '' && index === 0) || undefined}
                data-tip={course.name}
                onClick={() => select(course.id)}
              >
                <CourseTile course={course} className="tile tile-small" />
                <span className="min-w-0 flex-1">
                  <span className="block truncate">{course.name}</span>
                  <span className="course-type">{course.type}</span>
                </span>
                {course.id === chosen.id && <span className="icon icon-check text-accent" />}
              </button>
            ))}
          </div>
          <p role="status">{found.length === 0 && texts.nothingFound}</p>
        </div>
        {newCourse}
      </div>
    </>
  );
}

/** Makes a search ignore case and accents. */
function simplify(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
