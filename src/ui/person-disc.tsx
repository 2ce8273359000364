import { hueOf } from './brand.ts';

/** The initials of a person. */
export function PersonDisc({ id, name }: { id: string; name: string }) {
  const words = name.split(/\s+/);
  const initials = [words[0], words.length > 1 ? words.at(-1) : ''].map(
    (word = '') => [...word][0] ?? '',
  );
  return (
    <span className="avatar" data-hue={hueOf(id)} aria-hidden="true">
      {initials.join('').toLocaleUpperCase()}
    </span>
  );
}
