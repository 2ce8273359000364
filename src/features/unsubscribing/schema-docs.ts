import 'server-only';
import { msg } from '@lingui/core/macro';
import { describeFields } from '#lib/schema-docs.ts';
import { SubscriptionInput, SubscriptionState } from './schema.ts';

export const named = {
  SubscriptionInput: describeFields(SubscriptionInput, {
    link: { description: msg`What comes after “u=” in the address of an email` },
    is_on: { description: msg`Whether to send these emails` },
  }),
  SubscriptionState: describeFields(SubscriptionState, {
    is_on: { description: msg`Whether these emails are sent` },
  }),
};

export const unnamed = [];
