import 'server-only';
import { describeFields } from '#lib/schema-docs.ts';
import { exported } from './vocabulary.ts';

export const unnamed = [
  describeFields(exported.undeliverable_addresses.item, {
    email_canonical: null,
    reason: null,
    since: null,
  }),
];
