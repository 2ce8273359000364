import { Trans } from '@lingui/react/macro';
import type { Viewer } from '#features/auth/find-actor.ts';
import { EmailAddress } from '#ui/email-address.tsx';
import { Avatar } from './avatar.tsx';

type ProfileCardProps = {
  viewer: Pick<Viewer, 'id' | 'firstName' | 'lastName' | 'email' | 'avatarUrl'>;
};

/** The signed-in user: names, email address and picture. */
export function ProfileCard({ viewer }: ProfileCardProps) {
  return (
    <section className="card" aria-labelledby="profile">
      <h2 id="profile">
        <Trans>Your profile</Trans>
      </h2>
      <div className="mt-4 flex items-center gap-4">
        <Avatar viewer={viewer} />
        <div className="min-w-0">
          <p className="font-semibold">
            {viewer.firstName} {viewer.lastName}
          </p>
          <p className="text-muted">
            <EmailAddress>{viewer.email}</EmailAddress>
          </p>
        </div>
      </div>
    </section>
  );
}
