import 'server-only';
import type { SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { query } from '#db/query.ts';
import { participantMailKinds } from '#email/kinds.ts';
import { findChanges } from '#features/messages/announce-changes.ts';

/**
 * An email of one of the viewer's cohorts, by the name of its kind; null if there is no such kind.
 * Of those that announce changes it is the one that would go out now, in the place of a sample. Of
 * changes that are all cancellations that is `meeting_cancelled`, as `announceChanges` has it.
 */
export function findEmail(cohortId: string, name: string) {
  const kind = participantMailKinds.find((one) => one === name);
  const mayBeReal = kind === 'meeting_changed' || kind === 'meeting_cancelled';
  return (ctx: Context, ownerId: SQL) =>
    query(
      { changes: mayBeReal ? findChanges(cohortId)(ctx, ownerId) : undefined },
      ({ changes = [] }) => {
        if (kind === undefined) {
          return null;
        }
        const isCancelled = changes.every((change) => change.is_cancelled);
        const real = isCancelled ? 'meeting_cancelled' : 'meeting_changed';
        return changes.length > 0 && ['meeting_changed', real].includes(kind)
          ? ({ kind: real, facts: { changes } } as const)
          : { kind, facts: {} };
      },
    );
}
