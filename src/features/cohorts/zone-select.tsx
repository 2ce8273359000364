'use client';

import { useContext, useEffect, useMemo, useRef, useState } from 'react';
import { FormContext } from '#ui/form.tsx';
import { useInBrowser } from '#ui/use-in-browser.ts';
import { Select } from './fields.tsx';

/**
 * The zones of a part of the world, as short as hundreds of them can be: `Lima|Bogota=Bogotá`. The
 * name of a city is said only if it is not that of its zone.
 */
export type ZoneGroup = { region: string; label: string; zones: string };

/**
 * In `now` and `elsewhere`, `#` is in the place of the time and of the browser's own zone; `own` is
 * above that zone in the list, and `room` about as long as `now`.
 */
type ZoneTexts = Record<'label' | 'choose' | 'own' | 'now' | 'room' | 'elsewhere', string>;

type ZoneSelectProps = {
  groups: ZoneGroup[];
  /** What is stored; null to begin with the browser's own. */
  zone: Zone | null;
  texts: ZoneTexts;
};

/**
 * The time zones of the world by region, the browser's own first. They are listed once the scripts
 * run, without which no form is sent, so that a document does not contain hundreds of options.
 */
export function ZoneSelect({ groups, zone, texts }: ZoneSelectProps) {
  const browser = useInBrowser<string | null>(browserZone, null);
  const { sentValue } = useContext(FormContext);
  const stored = sentValue('time_zone') || zone?.name;
  const listed = useMemo(
    () =>
      groups.map(({ label, ...group }) => ({
        label,
        // In the spelling that was sent, so that the city is there once.
        zones: zonesOf(group).map((listed) => (listed.city === zone?.city ? zone : listed)),
      })),
    [groups, zone],
  );
  const own = useMemo(() => {
    const all = listed.flatMap(({ zones }) => zones);
    // By its name first: to resolve hundreds of names takes a while.
    return (
      all.find(({ name }) => name === browser) ??
      all.find(({ name }) => browser !== null && resolvedName(name) === browser) ??
      null
    );
  }, [listed, browser]);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (browser !== null) {
      // What looks at the fields of the form has not seen this one yet.
      ref.current?.closest('form')?.dispatchEvent(new Event('input'));
    }
  }, [browser]);
  return (
    <div ref={ref}>
      <Select
        // Begins again when the browser has said where it is.
        key={browser}
        name="time_zone"
        label={texts.label}
        defaultValue={stored ?? own?.name ?? ''}
      >
        {own === null && <option value="">{texts.choose}</option>}
        {own !== null && (
          <optgroup label={texts.own}>
            <option value={own.name}>{own.city}</option>
          </optgroup>
        )}
        {/* In the spelling that was sent, which the list may not have. */}
        {zone !== null && zone.name !== own?.name && <option value={zone.name}>{zone.city}</option>}
        {browser !== null &&
          listed.map(({ label, zones }) => (
            <optgroup key={label} label={label}>
              {zones
                .filter(({ name }) => name !== own?.name && name !== zone?.name)
                .map(({ name, city }) => (
                  <option key={name} value={name}>
                    {city}
                  </option>
                ))}
            </optgroup>
          ))}
      </Select>
      <ZoneFacts texts={texts} own={own?.city ?? browser ?? ''} />
    </div>
  );
}

/**
 * What clocks show in the chosen zone, and the browser's own zone where that is another one, in
 * lines that are always there.
 */
function ZoneFacts({ texts, own }: { texts: ZoneTexts; own: string }) {
  const ref = useRef<HTMLDivElement>(null);
  const [{ time, isElsewhere }, setFacts] = useState({ time: '', isElsewhere: false });
  useEffect(() => {
    const form = ref.current?.closest('form');
    const look = () => {
      const field = form?.elements.namedItem('time_zone');
      const zone = field instanceof HTMLSelectElement ? field.value : '';
      setFacts({
        time: timeIn(zone),
        isElsewhere: zone !== '' && resolvedName(zone) !== browserZone(),
      });
    };
    look();
    form?.addEventListener('input', look);
    const timer = setInterval(look, 10_000);
    return () => {
      clearInterval(timer);
      form?.removeEventListener('input', look);
    };
  }, []);
  return (
    <div ref={ref}>
      <p className="hint zone-time" data-room={texts.room}>
        <span>{time && texts.now.replace('#', time)}</span>
      </p>
      <p
        className="hint zone-time"
        data-room={texts.elsewhere.replace('#', own || '#')}
        role="status"
      >
        <span>{isElsewhere && texts.elsewhere.replace('#', own)}</span>
      </p>
    </div>
  );
}

function timeIn(zone: string): string {
  try {
    return new Date().toLocaleTimeString(document.documentElement.lang, {
      timeZone: zone,
      hour: 'numeric',
      minute: '2-digit',
    });
  } catch {
    // This browser does not know the zone, which the server does.
    return '';
  }
}

type Zone = { name: string; city: string };

function zonesOf({ region, zones }: { region: string; zones: string }): Zone[] {
  return zones.split('|').map((text) => {
    const [last = '', city = last.slice(last.lastIndexOf('/') + 1).replaceAll('_', ' ')] =
      text.split('=');
    return { name: last === '' ? region : `${region}/${last}`, city };
  });
}

/** The name that this browser has for a zone: it may be a former one. */
function resolvedName(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    // Older than the list.
    return '';
  }
}

/** The browser's time zone. */
export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
