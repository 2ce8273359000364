import { Trans } from '@lingui/react/macro';
import type { Viewer } from '#features/auth/find-viewer.ts';

type ProfileCardProps = { viewer: Pick<Viewer, 'firstName' | 'lastName' | 'email' | 'avatarUrl'> };

/** Who is signed in: names, address and a picture over the initials, which stay in sight where it does not load. */
export function ProfileCard({ viewer }: ProfileCardProps) {
  const { firstName, lastName, email, avatarUrl } = viewer;
  const initials = [firstName, lastName].map((name) => [...name][0]).join('');
  return (
    <section className="card" aria-labelledby="profile">
      <h2 id="profile">
        <Trans>Your profile</Trans>
      </h2>
      <div className="mt-4 flex items-center gap-4">
        <span className="avatar" aria-hidden="true">
          {initials}
          {avatarUrl && <img src={avatarUrl} alt="" referrerPolicy="no-referrer" />}
        </span>
        <div className="min-w-0">
          <p className="font-semibold">
            {firstName} {lastName}
          </p>
          <p className="text-muted">{email}</p>
        </div>
      </div>
    </section>
  );
}
