'use client';

import { useState } from 'react';
import { useCourseChoice } from './course-choice.tsx';
import { CourseTile } from './course-tile.tsx';

/** More would push the rest of the page out of sight. */
const rowsAtFirst = 8;

type CourseRowsProps = { texts: { selected: string; showAll: string } };

/** The courses as rows: a click selects one. */
export function CourseRows({ texts }: CourseRowsProps) {
  const { courses, chosen, choose } = useCourseChoice();
  const [firstChosenId] = useState(chosen.id);
  const [isWhole, setIsWhole] = useState(courses.length <= rowsAtFirst);
  const shown = courses.filter(
    ({ id }, index) => isWhole || index < rowsAtFirst || id === chosen.id || id === firstChosenId,
  );
  return (
    <>
      <ul className="course-rows">
        {shown.map((course) => (
          <li key={course.id}>
            <button
              type="button"
              aria-current={course.id === chosen.id || undefined}
              data-tip={course.name}
              onClick={() => choose(course.id)}
            >
              <CourseTile course={course} />
              <span className="course-name truncate">{course.name}</span>
              <span className="course-type">{course.type}</span>
              {course.id === chosen.id && (
                <span className="course-state icon-before icon-check">{texts.selected}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {shown.length < courses.length && (
        <button
          type="button"
          className="button button-quiet button-small noscript:hidden"
          onClick={() => setIsWhole(true)}
        >
          {texts.showAll}
        </button>
      )}
    </>
  );
}
