'use client';

import { type ReactNode, useEffect } from 'react';
import { withStorage } from '#lib/browser-storage.ts';
import type { paths } from '#paths.ts';

/** In session storage, not in the URL, which ends up in histories and logs. */
const storageKey = 'address';

type OtherPageLinkProps = {
  href: typeof paths.login | typeof paths.signup;
  children: ReactNode;
};

/** A link between login and sign-up. It takes the typed address along; see `TakenAddress`. */
export function OtherPageLink({ href, children }: OtherPageLinkProps) {
  return (
    <a href={href} className="link whitespace-nowrap" onClick={keepAddress}>
      {children}
    </a>
  );
}

/** Fills in the address that was typed on the other page. */
export function TakenAddress() {
  useEffect(() => {
    const field = addressField();
    const address = takeAddress();
    if (field !== null && address !== null && field.value === '') {
      field.value = address;
    }
  }, []);
  return null;
}

function addressField(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>('main input[name="email"]');
}

function keepAddress(): void {
  const typed = addressField()?.value.trim() ?? '';
  if (typed !== '') {
    // Without storage, it has to be typed again.
    withStorage('sessionStorage', (storage) => storage.setItem(storageKey, typed));
  }
}

function takeAddress(): string | null {
  return withStorage('sessionStorage', (storage) => {
    const address = storage.getItem(storageKey);
    storage.removeItem(storageKey);
    return address;
  });
}
