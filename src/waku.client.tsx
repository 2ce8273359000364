import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { unstable_defaultRootOptions as rootOptions } from 'waku/client';
import { Router } from '#router/router.tsx';

/** What runs in the browser, from the outside in: every page comes rendered and is taken over here. */
hydrateRoot(
  document,
  <StrictMode>
    <Router />
  </StrictMode>,
  rootOptions,
);
