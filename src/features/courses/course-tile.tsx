import { hueOf } from '#ui/hue.ts';

type CourseTileProps = {
  course: { id: string; name: string };
  className?: string;
};

/** A course as a small book, with the first letter of its name. */
export function CourseTile({ course, className = 'tile' }: CourseTileProps) {
  return (
    <span className={className} data-hue={hueOf(course.id)} aria-hidden="true">
      {[...course.name][0]}
    </span>
  );
}
