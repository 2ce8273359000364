import { hueOf } from '#ui/brand.ts';
import type { Viewer } from './find-actor.ts';

type AvatarProps = {
  viewer: Pick<Viewer, 'id' | 'firstName' | 'lastName' | 'avatarUrl'>;
  className?: string;
};

/** A picture over the initials, which remain visible if it does not load. */
export function Avatar({ viewer, className = 'avatar' }: AvatarProps) {
  const { id, firstName, lastName, avatarUrl } = viewer;
  return (
    <span className={className} data-hue={hueOf(id)} aria-hidden="true">
      {[firstName, lastName].map((name) => [...name][0]).join('')}
      {avatarUrl && <img src={avatarUrl} alt="" referrerPolicy="no-referrer" />}
    </span>
  );
}
