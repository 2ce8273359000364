import 'server-only';
import { msg } from '@lingui/core/macro';
import { describeFields } from '#lib/schema-docs.ts';
import { CalendarFeed } from './schema.ts';
import { exported } from './vocabulary.ts';

const address = {
  url: {
    description: msg`The secret address of the calendar of all the caller’s cohorts; null while it is off`,
  },
  webcal_url: { description: msg`The same address, as calendar apps subscribe to it` },
};

export const named = { CalendarFeed: describeFields(CalendarFeed, address) };

export const unnamed = [
  describeFields(exported.calendar_feeds.item, {
    version: { description: msg`How many addresses it has had` },
    enabled_at: { description: msg`Since when it has its address; null while it is off` },
  }),
];
