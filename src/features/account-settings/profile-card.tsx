import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Avatar } from '#features/identity/avatar.tsx';
import type { Viewer } from '#features/identity/find-actor.ts';
import { EmailAddress } from '#ui/email-address.tsx';

type ProfileCardProps = {
  viewer: Pick<Viewer, 'id' | 'firstName' | 'lastName' | 'email' | 'avatarUrl'>;
  /** What the user can do here, at the end of the row. */
  children: ReactNode;
};

/** The signed-in user in a row: picture, names and email address. */
export function ProfileCard({ viewer, children }: ProfileCardProps) {
  const { t } = useLingui();
  return (
    <section className="profile" aria-label={t`Your profile`}>
      <Avatar viewer={viewer} className="avatar avatar-large" />
      <div>
        <p>
          {viewer.firstName} {viewer.lastName}
        </p>
        <p>
          <EmailAddress>{viewer.email}</EmailAddress>
        </p>
      </div>
      {children}
    </section>
  );
}
