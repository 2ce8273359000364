import * as Popover from '@radix-ui/react-popover';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hueOf } from '../../../src/ui/hue.ts';
import { useCourses, useSelectCourse, useSelectedCourse } from './hooks.ts';
import { Tip } from './tip.tsx';

/** From this many courses on there is a search field. */
const filterFrom = 8;

/** The selected course and a menu of all courses. */
export function CourseSelector({ onNewCourse }: { onNewCourse: () => void }) {
  const { t } = useTranslation();
  const courses = useCourses();
  const selected = useSelectedCourse();
  const select = useSelectCourse();
  const [isOpen, setIsOpen] = useState(false);
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLowerCase();
  const found = courses.filter(({ name }) => name.toLowerCase().includes(wanted));

  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        setIsOpen(true);
      }
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);

  return (
    <Popover.Root
      open={isOpen}
      onOpenChange={(open) => {
        setIsOpen(open);
        setFilter('');
      }}
    >
      <Tip text={selected.name}>
        <Popover.Trigger className="course-trigger" aria-busy={select.isPending}>
          <span
            className="tile tile-small"
            data-hue={hueOf(selected.id)}
            data-letter={select.isPending ? '' : selected.name[0]}
            aria-hidden="true"
          >
            {select.isPending && <span className="spinner" />}
          </span>
          <span className="sidebar-label min-w-0 flex-1">
            <span className="sr-only">{t('course.label')} </span>
            <span className="block truncate font-semibold">{selected.name}</span>
            <span className="course-type">{t(`type.${selected.course_type}`)}</span>
          </span>
          <span className="icon icon-updown sidebar-label" />
        </Popover.Trigger>
      </Tip>
      <Popover.Portal>
        <Popover.Content
          align="start"
          className="menu course-menu"
          aria-label={t('course.label')}
          onKeyDown={walkByArrows}
          onOpenAutoFocus={(event) => {
            const content = event.currentTarget as HTMLElement;
            const start = content.querySelector<HTMLElement>('input, [aria-selected="true"]');
            if (start !== null) {
              event.preventDefault();
              start.focus();
            }
          }}
        >
          {courses.length >= filterFrom && (
            <input
              type="search"
              className="input"
              aria-label={t('course.find')}
              placeholder={t('course.find')}
              value={filter}
              onChange={({ target }) => setFilter(target.value)}
            />
          )}
          <div role="listbox" aria-label={t('course.label')} className="course-list">
            {found.map(({ id, name, course_type: type }) => (
              <button
                key={id}
                type="button"
                role="option"
                aria-selected={id === selected.id}
                className="menu-item"
                onClick={() => {
                  setIsOpen(false);
                  if (id !== selected.id) {
                    select.mutate(id);
                  }
                }}
              >
                <span
                  className="tile tile-small"
                  data-hue={hueOf(id)}
                  data-letter={name[0]}
                  aria-hidden="true"
                />
                <span className="min-w-0 flex-1">
                  <span className="block truncate">{name}</span>
                  <span className="course-type">{t(`type.${type}`)}</span>
                </span>
                {id === selected.id && <span className="icon icon-check text-accent" />}
              </button>
            ))}
          </div>
          <p role="status" className="text-[0.875rem] text-muted not-empty:px-3 not-empty:py-2">
            {found.length === 0 && t('course.none')}
          </p>
          <button
            type="button"
            className="menu-item menu-last"
            onClick={() => {
              setIsOpen(false);
              onNewCourse();
            }}
          >
            <span className="icon icon-plus" />
            {t('course.new')}
          </button>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function walkByArrows(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('.menu-item')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = {
    ArrowDown: items[(at + 1) % items.length],
    ArrowUp: items.at(at <= 0 ? -1 : at - 1),
    Home: items[0],
    End: items.at(-1),
  }[event.key];
  if (next !== undefined) {
    event.preventDefault();
    next.focus();
  }
}
