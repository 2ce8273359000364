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
    <section
      className="profile flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border-1 border-line bg-surface py-2.75 ps-4 pe-2"
      aria-label={t`Your profile`}
    >
      <Avatar viewer={viewer} className="avatar avatar-large" />
      <div className="min-h-11 min-w-0 flex-[1_1_10rem]">
        <p className="font-semibold">
          {viewer.firstName} {viewer.lastName}
        </p>
        <p className="text-muted text-sm/5">
          <EmailAddress>{viewer.email}</EmailAddress>
        </p>
      </div>
      {children}
    </section>
  );
}
