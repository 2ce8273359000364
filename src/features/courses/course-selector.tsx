'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { courseMenuId, sidebarId } from '#features/frames/sidebar-ids.ts';
import { simplify } from '#lib/text.ts';
import { onShortcut } from '#ui/shortcut.ts';
import { type ListedCourse, useCourseChoice } from './course-choice.tsx';
import { CourseKeys, openCourseMenu } from './course-keys.tsx';
import { CourseTile } from './course-tile.tsx';
import { useAllCourses } from './use-all-courses.ts';

/** From this many courses on, there is a search field. */
const filterFrom = 8;

type CourseSelectorProps = {
  hasMore: boolean;
  texts: Record<
    'label' | 'filter' | 'nothingFound' | 'loading' | 'notLoaded' | 'retry' | 'keys' | 'keysTip',
    string
  >;
  newCourse: ReactNode;
};

/** The selected course and a menu of all, which are fetched when it opens or is about to. */
export function CourseSelector({ hasMore, texts, newCourse }: CourseSelectorProps) {
  const { chosen, isPending, choose } = useCourseChoice();
  const { courses, state, load, look } = useAllCourses();
  const menuRef = useRef<HTMLDivElement>(null);
  const listRef = useRef<HTMLDivElement>(null);
  const [filter, setFilter] = useState('');
  const wanted = simplify(filter.trim());
  const matches = courses.filter(({ name }) => simplify(name).includes(wanted));
  const [first] = matches;
  const prepare = hasMore ? load : undefined;
  const stopId = (matches.find(({ id }) => id === chosen.id) ?? first)?.id;

  const isIncomplete = hasMore && state !== 'loaded';
  const incomplete = state === 'failed' ? texts.notLoaded : texts.loading;
  const none = matches.length === 0 && texts.nothingFound;

  function select(course: ListedCourse): void {
    menuRef.current?.hidePopover();
    // On a phone, the sheet.
    document.getElementById(sidebarId)?.hidePopover();
    void choose(course);
  }

  function search(text: string): void {
    const { current: list } = listRef;
    // The menu keeps its height, however few are found.
    if (list?.style.height === '') {
      list.style.height = `${list.getBoundingClientRect().height}px`;
    }
    setFilter(text);
    look(text);
  }

  function startOver(): void {
    listRef.current?.style.removeProperty('height');
    setFilter('');
  }

  useEffect(() => onShortcut('k', openCourseMenu), []);
  useEffect(() => {
    // More courses above it may have moved it out of sight.
    if (state === 'loaded') {
      listRef.current
        ?.querySelector('[aria-selected="true"]')
        ?.scrollIntoView({ block: 'nearest' });
    }
  }, [state]);

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
        onPointerEnter={prepare}
        onFocus={prepare}
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
        onToggle={({ newState }) => (newState === 'open' ? load() : startOver())}
      >
        {(hasMore || courses.length >= filterFrom) && (
          <label className="search">
            <span className="icon icon-search" />
            <input
              type="search"
              className="input ps-11 md:pointer-fine:pe-16"
              aria-label={texts.filter}
              placeholder={texts.filter}
              aria-controls="course-list"
              autoComplete="off"
              spellCheck={false}
              value={filter}
              onChange={({ target }) => search(target.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && filter.trim() !== '' && first !== undefined) {
                  // Otherwise it would also press the button that the focus returns to.
                  event.preventDefault();
                  select(first);
                }
              }}
            />
            <CourseKeys keys={texts.keys} />
          </label>
        )}
        <div ref={listRef} className="course-list">
          <div id="course-list" role="listbox" aria-label={texts.label}>
            {matches.map((course, index) => (
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
                onClick={() => select(course)}
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
          <p role="status">{isIncomplete ? incomplete : none}</p>
          {isIncomplete && state === 'failed' && (
            <button type="button" className="button button-small" onClick={load}>
              {texts.retry}
            </button>
          )}
        </div>
        {newCourse}
      </div>
    </>
  );
}
