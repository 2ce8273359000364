import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Locale } from '#db/values.ts';
import { clockTime } from '#lib/time/words.ts';
import { cityOf, zoneGroups } from '#lib/time/zones.ts';
import { type ZoneGroup, ZoneSelect } from './zone-select.tsx';

/** As long as times are. */
const lateEvening = '2000-01-01T22:00';

/** The field for the time zone of a cohort; without a stored one, the browser's is proposed. */
export function ZoneField({ zone }: { zone: string | null }) {
  const { i18n, t } = useLingui();
  const locale = i18n.locale as Locale;
  // Where the browser puts the time and its own zone in.
  const [time, city] = ['#', '#'];
  const now = t`It’s ${time} there now. All times of this cohort are in this zone.`;
  return (
    <ZoneSelect
      groups={groupsOf(i18n)}
      zone={zone === null ? null : { name: zone, city: cityOf(zone, locale) }}
      texts={{
        label: t`Time zone`,
        choose: t`Choose a time zone`,
        own: t`Your time zone`,
        now,
        room: now.replace(time, clockTime(lateEvening, locale)),
        elsewhere: t`Your own time zone is ${city}.`,
      }}
    />
  );
}

function groupsOf(i18n: I18n): ZoneGroup[] {
  const names = regionNames(i18n);
  return zoneGroups(i18n.locale as Locale).map(({ region, zones }) => ({
    region,
    label: names[region] ?? region,
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

function regionNames(i18n: I18n): Record<string, string> {
  return {
    Africa: i18n._(msg`Africa`),
    America: i18n._(msg`America`),
    Antarctica: i18n._(msg`Antarctica`),
    Arctic: i18n._(msg`Arctic`),
    Asia: i18n._(msg`Asia`),
    Atlantic: i18n._(msg`Atlantic`),
    Australia: i18n._(msg`Australia`),
    Europe: i18n._(msg`Europe`),
    Indian: i18n._(msg`Indian Ocean`),
    Pacific: i18n._(msg`Pacific`),
  };
}
