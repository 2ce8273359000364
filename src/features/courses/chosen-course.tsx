'use client';

import { useCourseChoice } from './course-choice.tsx';
import { CourseTile } from './course-tile.tsx';

/** The chosen course in the header of a phone, where the sidebar is closed. */
export function ChosenCourse() {
  const { chosen } = useCourseChoice();
  return (
    <p className="topbar-course phone" data-tip={chosen.name}>
      <CourseTile course={chosen} className="tile tile-small" />
      <span className="truncate">{chosen.name}</span>
    </p>
  );
}
