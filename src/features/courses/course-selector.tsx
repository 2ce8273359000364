'use client';

import { useEffect, useOptimistic, useRef, useState, useTransition } from 'react';
import { callApi } from '#client/call-api.ts';
import { reportFailure } from '#client/failures.ts';
import { mayLoseChanges } from '#client/may-lose-changes.ts';
import { courseMenuId, sidebarId } from '#features/shell/sidebar-state.ts';
import { apiPaths } from '#paths.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { onShortcut } from '#ui/shortcut.ts';

/** From this many courses on, there is a search field. */
const filterFrom = 8;

type CourseSelectorProps = {
  courses: { id: string; name: string; type: string }[];
  selectedId: string;
  texts: { label: string; filter: string; nothingFound: string };
  newCourse: React.ReactNode;
};

/** The selected course and a menu of all. A choice is shown at once, and reverted if it fails. */
export function CourseSelector({ courses, selectedId, texts, newCourse }: CourseSelectorProps) {
  const refresh = useRefresh();
  const menuRef = useRef<HTMLDivElement>(null);
  const triggerRef = useRef<HTMLButtonElement>(null);
  const [chosenId, setChosenId] = useOptimistic(selectedId);
  const [isPending, startTransition] = useTransition();
  const [filter, setFilter] = useState('');
  const chosen = courses.find(({ id }) => id === chosenId);
  const found = courses.filter(({ name }) => simplify(name).includes(simplify(filter)));
  const stopId = (found.find(({ id }) => id === chosenId) ?? found[0])?.id;

  async function select(id: string): Promise<void> {
    menuRef.current?.hidePopover();
    if (id === chosenId || !(await mayLoseChanges('course'))) {
      return;
    }
    startTransition(async () => {
      setChosenId(id);
      const result = await callApi(apiPaths.selectCourse(id));
      if (!result.ok) {
        reportFailure(result, () => void select(id));
      }
      // Also after a failure: the course may be gone and the list outdated.
      if (result.ok || result.status === 404) {
        await refresh();
      }
    });
  }

  useEffect(
    () =>
      onShortcut('k', () => {
        if (!triggerRef.current?.checkVisibility()) {
          document.getElementById(sidebarId)?.showPopover();
        }
        if (!menuRef.current?.matches(':popover-open')) {
          // The menu returns the focus to where it was.
          if (document.activeElement === document.body) {
            triggerRef.current?.focus();
          }
          triggerRef.current?.click();
        }
      }),
    [],
  );

  return (
    <>
      <button
        ref={triggerRef}
        type="button"
        className="course-trigger"
        popoverTarget={courseMenuId}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        aria-busy={isPending}
        data-tip={chosen?.name}
      >
        <span
          className="grid size-8 flex-none place-items-center rounded-[0.375rem] bg-accent font-serif font-semibold text-on-accent uppercase"
          aria-hidden="true"
        >
          {isPending ? <span className="spinner" /> : [...(chosen?.name ?? '')][0]}
        </span>
        <span className="sidebar-label min-w-0 flex-1">
          <span className="sr-only">{texts.label} </span>
          <span className="block truncate font-semibold">{chosen?.name}</span>
          <span className="block text-sm text-muted">{chosen?.type}</span>
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
        onToggle={() => setFilter('')}
      >
        {courses.length >= filterFrom && (
          <input
            type="search"
            className="input"
            aria-label={texts.filter}
            placeholder={texts.filter}
            aria-controls="course-list"
            autoComplete="off"
            spellCheck={false}
            value={filter}
            onChange={({ target }) => setFilter(target.value)}
            onKeyDown={(event) => {
              const [first, second] = found;
              if (event.key === 'Enter' && first !== undefined && second === undefined) {
                // Otherwise it would also press the button that the focus returns to.
                event.preventDefault();
                void select(first.id);
              }
            }}
          />
        )}
        <div
          id="course-list"
          role="listbox"
          aria-label={texts.label}
          className="min-h-13 overflow-y-auto"
        >
          {found.map(({ id, name, type }) => (
            <button
              key={id}
              type="button"
              role="option"
              aria-selected={id === chosenId}
              // One tab stop; arrows move from there.
              tabIndex={id === stopId ? 0 : -1}
              className="menu-item"
              onClick={() => void select(id)}
            >
              <span className="min-w-0 flex-1">
                <span className="block">{name}</span>
                <span className="block text-sm text-muted">{type}</span>
              </span>
              {id === chosenId && <span className="icon icon-check text-accent" />}
            </button>
          ))}
        </div>
        <p role="status" className="text-[0.875rem] text-muted not-empty:px-3 not-empty:py-2">
          {found.length === 0 && texts.nothingFound}
        </p>
        {newCourse}
      </div>
    </>
  );
}

/** Makes a search ignore case and accents. */
function simplify(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
