import { hueOf } from '../../../src/ui/hue.ts';
import type { Account } from './api.ts';

type AvatarProps = { account: Account; className?: string };

/** A picture over the initials. */
export function Avatar({ account, className = 'avatar' }: AvatarProps) {
  return (
    <span className={className} data-hue={hueOf(account.id)} aria-hidden="true">
      {account.first_name[0]}
      {account.last_name[0]}
      {account.avatar && <img src={account.avatar} alt="" referrerPolicy="no-referrer" />}
    </span>
  );
}
