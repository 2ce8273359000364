import type { CourseHue } from '#db/values.ts';

type CourseTileProps = {
  course: { name: string; hue: CourseHue };
  className?: string;
  isBusy?: boolean;
};

/**
 * A course as a small book, with the first letter of its name: drawn by CSS, so that it is not part
 * of the text of a row or menu item.
 */
export function CourseTile({ course, className = 'tile', isBusy = false }: CourseTileProps) {
  const [letter] = course.name;
  return (
    <span
      className={className}
      data-hue={course.hue}
      data-letter={isBusy ? '' : letter}
      aria-hidden="true"
    >
      {isBusy && <span className="spinner" />}
    </span>
  );
}
