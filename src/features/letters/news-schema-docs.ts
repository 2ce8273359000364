import 'server-only';
import { msg } from '@lingui/core/macro';
import { describeFields } from '#lib/schema-docs.ts';
import { exported } from './news-vocabulary.ts';

export const named = {};

export const unnamed = [
  describeFields(exported.news_due.item, {
    since: { description: msg`When the first of the changes happened` },
    due_at: { description: msg`When the news is due` },
  }),
];
