import type { I18n } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';

/** How long the lessons of an open run can be read from the moment of enrolling, after “Access”. */
export function accessWords(i18n: I18n, accessDays: number | null): string {
  return accessDays === null
    ? i18n._(msg`without end`)
    : i18n._(msg`${plural(accessDays, { one: 'for # day', other: 'for # days' })}`);
}
