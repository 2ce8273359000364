import 'server-only';
import type { I18n } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { numbered } from '#lib/numbered-texts.ts';
import type { PresenceTexts } from './who-is-here.tsx';

/** What lists of people at a session say. */
export function presenceTexts(i18n: I18n): PresenceTexts {
  return {
    present: i18n._(msg`Present`),
    absent: i18n._(msg`Absent`),
    counts: {
      present: numbered((n) => i18n._(msg`${plural(n, { one: '# present', other: '# present' })}`)),
      absent: numbered((n) => i18n._(msg`${plural(n, { one: '# absent', other: '# absent' })}`)),
      open: numbered((n) =>
        i18n._(msg`${plural(n, { one: '# not marked yet', other: '# not marked yet' })}`),
      ),
    },
    markAll: numbered((n) =>
      i18n._(msg`${plural(n, { one: 'Mark # as present', other: 'Mark # as present' })}`),
    ),
    unsent: numbered((n) =>
      i18n._(
        msg`${plural(n, { one: 'No connection. # mark will be sent later.', other: 'No connection. # marks will be sent later.' })}`,
      ),
    ),
  };
}
