'use client';

import { CourseKeys } from './course-keys.tsx';

type CourseSearchProps = {
  value: string;
  onSearch: (text: string) => void;
  /** Chooses the first course that was found; there may be none. */
  onChoose: (() => void) | null;
  texts: { filter: string; keys: string };
};

/** The field above the courses, where there are many. */
export function CourseSearch({ value, onSearch, onChoose, texts }: CourseSearchProps) {
  return (
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
        value={value}
        onChange={({ target }) => onSearch(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && value.trim() !== '' && onChoose !== null) {
            // Otherwise it would also press the button that the focus returns to.
            event.preventDefault();
            onChoose();
          }
        }}
      />
      <CourseKeys keys={texts.keys} />
    </label>
  );
}
