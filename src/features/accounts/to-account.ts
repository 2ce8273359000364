import 'server-only';
import type { Viewer } from '#features/auth/find-actor.ts';
import type { Account } from './schema.ts';

/** The viewer's own account as the API tells it: picked field by field, never a row as a whole. */
export function toAccount(viewer: Viewer): Account {
  return {
    id: viewer.id,
    first_name: viewer.firstName,
    last_name: viewer.lastName,
    email: viewer.email,
    ...(viewer.pendingEmail !== null && { pending_email: viewer.pendingEmail }),
    avatar: viewer.avatarUrl,
    // A viewer is signed in, and nobody signs in unverified.
    email_verified: true,
    language: viewer.language,
    created_at: viewer.createdAt.toISOString(),
  };
}
