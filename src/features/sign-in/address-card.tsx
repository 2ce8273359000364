import type { ReactNode } from 'react';
import { hueOf } from '#ui/brand.ts';

type AddressCardProps = {
  userId: string;
  /** Masked: people who have the link see no more of its account. */
  address: string;
  /** Below the address. */
  note?: ReactNode;
};

/** Whose account an emailed link is for. */
export function AddressCard({ userId, address, note }: AddressCardProps) {
  return (
    <div className="card address-card">
      <span className="avatar avatar-large" data-hue={hueOf(userId)} aria-hidden="true">
        {address.slice(0, 1).toUpperCase()}
      </span>
      <p>
        <strong>{address}</strong>
        {note && <span>{note}</span>}
      </p>
    </div>
  );
}
