'use client';

import { useState } from 'react';
import { useCourseChoice } from './course-choice.tsx';
import { openCourseMenu } from './course-keys.tsx';
import { CourseTile } from './course-tile.tsx';

type CourseRowsProps = {
  /** Their types and how their cohorts stand, by their ids. */
  abouts: Record<string, string>;
  hasMore: boolean;
  texts: { selected: string; showAll: string };
};

/** The first courses and the selected one as rows: a click selects one. */
export function CourseRows({ abouts, hasMore, texts }: CourseRowsProps) {
  const { courses, chosen, choose } = useCourseChoice();
  // It stays where it was when another one is chosen.
  const [first] = useState(chosen);
  const shown = [...courses];
  for (const course of [first, chosen]) {
    if (shown.every(({ id }) => id !== course.id)) {
      shown.push(course);
    }
  }
  return (
    <>
      <ul className="course-rows">
        {shown.map((course) => (
          <li key={course.id} className="border-line border-t last:border-b">
            <button
              type="button"
              aria-current={course.id === chosen.id || undefined}
              data-tip={course.name}
              onClick={() => choose(course)}
            >
              <CourseTile course={course} />
              <span
                className={`col-start-2 row-start-1 truncate leading-5.5 ${course.id === chosen.id ? 'font-semibold' : 'font-medium'}`}
              >
                {course.name}
              </span>
              <span className="course-type col-start-2 row-start-2 text-sm/5">
                {abouts[course.id] ?? course.type}
              </span>
              {course.id === chosen.id && (
                <span className="course-state icon-before icon-check">{texts.selected}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {hasMore && (
        <button
          type="button"
          className="button button-quiet button-small mt-2 -ms-3.5 noscript:hidden"
          onClick={openCourseMenu}
        >
          {texts.showAll}
        </button>
      )}
    </>
  );
}
