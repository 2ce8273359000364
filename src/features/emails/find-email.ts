import 'server-only';
import type { ParticipantMailKind } from '#email/kinds.ts';
import type { PayloadChange } from '#email/payload.ts';

/**
 * The announcement that would go out now, in the place of a sample, if it is of that kind. Of
 * changes that are all cancellations it is `meeting_cancelled`, as `announceChanges` has it.
 */
export function announcementOf(kind: ParticipantMailKind, changes: PayloadChange[]) {
  const isCancelled = changes.every((change) => change.is_cancelled);
  const real = isCancelled ? 'meeting_cancelled' : 'meeting_changed';
  const isReal = changes.length > 0 && ['meeting_changed', real].includes(kind);
  return isReal ? ({ kind: real, facts: { changes } } as const) : { kind, facts: {} };
}
