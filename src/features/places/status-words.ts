import 'server-only';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { EnrollmentStatus } from '#db/values.ts';

/** Where someone stands, after “is now”. */
export const statusWords: Record<EnrollmentStatus, MessageDescriptor> = {
  invited: msg`invited`,
  applied: msg`asking for a place`,
  waitlisted: msg`on the waitlist`,
  offered: msg`offered a place`,
  enrolled: msg`enrolled`,
  declined: msg`no longer interested`,
  refused: msg`turned down`,
  expired: msg`out, because the time to answer is over`,
  left: msg`out, by their own choice`,
  removed: msg`removed`,
};
