/** Of F. */
export function WayBack({ courseId }: { courseId: string | null }) {
  return <p>{courseId}</p>;
}
