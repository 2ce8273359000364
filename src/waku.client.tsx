import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { unstable_defaultRootOptions as rootOptions } from 'waku/client';
import { Router } from '#router/router.tsx';

/** The browser's entry point, which hydrates the server-rendered page. */
hydrateRoot(
  document,
  <StrictMode>
    <Router />
  </StrictMode>,
  rootOptions,
);
