import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { MessageAudience } from '#db/values.ts';

/** Whom a message is for, in words. */
export const audienceWords: Record<MessageAudience, MessageDescriptor> = {
  enrolled: msg`Everyone enrolled`,
  stuck: msg`Stuck`,
  owing: msg`Still owe`,
  waitlist: msg`Waitlist`,
  chosen: msg`Chosen in the roster`,
};
