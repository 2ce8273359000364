'use client';

import { useCurrent } from '#router/use-visits.ts';

type PlaceLinksProps = {
  label: string;
  places: { to: string; label: string; icon: string }[];
  current: string | null;
};

/** The places of the sidebar. The one that was clicked is current at once. */
export function PlaceLinks({ label, places, current }: PlaceLinksProps) {
  const currentPlace = useCurrent(places, current);
  return (
    <nav aria-label={label} className="sidebar-nav my-4 grid gap-0.5">
      {places.map((place) => (
        <a
          key={place.to}
          href={place.to}
          className="sidebar-item"
          aria-current={place.to === currentPlace ? 'page' : undefined}
          data-tip={place.label}
        >
          <span className={`icon ${place.icon}`} />
          <span className="sidebar-label">{place.label}</span>
        </a>
      ))}
    </nav>
  );
}
