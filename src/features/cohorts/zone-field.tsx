import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { clockTime } from '#lib/time/words.ts';
import { cityOf, zoneGroups } from '#lib/time/zones.ts';
import { type ZoneGroup, ZoneSelect } from './zone-select.tsx';

/** As long as times are. */
const lateEvening = '2000-01-01T22:00';

/** The field for the time zone of a cohort; without a stored one, the browser's is proposed. */
export function ZoneField({ zone }: { zone: string | null }) {
  const { i18n, t } = useLingui();
  // Where the browser puts the time and its own zone in.
  const [time, city] = ['#', '#'];
  const now = t`It’s ${time} there now. All times of this cohort are in this zone.`;
  return (
    <ZoneSelect
      groups={groupsOf(i18n)}
      zone={zone === null ? null : { name: zone, city: cityOf(zone, i18n.locale) }}
      texts={{
        label: t`Time zone`,
        choose: t`Choose a time zone`,
        own: t`Your time zone`,
        now,
        room: now.replace(time, clockTime(lateEvening, i18n.locale)),
        elsewhere: t`Your own time zone is ${city}.`,
      }}
    />
  );
}

function groupsOf(i18n: I18n): ZoneGroup[] {
  return zoneGroups(i18n.locale).map(({ region, zones }) => ({
    region,
    label: regionNames[region] ? i18n._(regionNames[region]) : region,
    zones: zones
      .map(({ name, city }) => {
        const last = name.slice(region.length + 1);
        return isSaidBy(last, city) ? last : `${last}=${city}`;
      })
      .join('|'),
  }));
}

/** Whether the name of a city is the last part of the name of its zone. */
function isSaidBy(last: string, city: string): boolean {
  return city === last.slice(last.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

const regionNames: Record<string, MessageDescriptor> = {
  Africa: msg`Africa`,
  America: msg`America`,
  Antarctica: msg`Antarctica`,
  Arctic: msg`Arctic`,
  Asia: msg`Asia`,
  Atlantic: msg`Atlantic`,
  Australia: msg`Australia`,
  Europe: msg`Europe`,
  Indian: msg`Indian Ocean`,
  Pacific: msg`Pacific`,
};
