import { withStorage } from '#lib/browser-storage.ts';

/** What this tab keeps of a payment while its reader is at Stripe, whose addresses have no link in them. */
export type KeptPayment = {
  link: string;
  enrollmentId: string;
  /** Whether a place waits for it; otherwise it is for what is owed. */
  isPlace: boolean;
};

const paymentKey = (checkoutId: string) => `checkout:${checkoutId}`;
const noteKey = (enrollmentId: string) => `paid:${enrollmentId}`;

/** Keeps who pays, for when they come back. */
export function keepPayment(checkoutId: string, payment: KeptPayment): void {
  withStorage('sessionStorage', (storage) =>
    storage.setItem(paymentKey(checkoutId), JSON.stringify(payment)),
  );
}

/** Who pays here; null in another tab, or where nothing is kept. */
export function findPayment(checkoutId: string): KeptPayment | null {
  return withStorage('sessionStorage', (storage) => {
    const kept = storage.getItem(paymentKey(checkoutId));
    // As `keepPayment` wrote it.
    return kept === null ? null : (JSON.parse(kept) as KeptPayment);
  });
}

export function forgetPayment(checkoutId: string): void {
  withStorage('sessionStorage', (storage) => storage.removeItem(paymentKey(checkoutId)));
}

/** Keeps what has become of a payment, for the page of the person. */
export function keepNote(enrollmentId: string, text: string): void {
  withStorage('sessionStorage', (storage) => storage.setItem(noteKey(enrollmentId), text));
}

/** What was kept, once. */
export function takeNote(enrollmentId: string): string | null {
  return withStorage('sessionStorage', (storage) => {
    const text = storage.getItem(noteKey(enrollmentId));
    storage.removeItem(noteKey(enrollmentId));
    return text;
  });
}
