'use client';

import { later } from '#client/later.tsx';

/** CopyButton, after the page's own scripts: few copy an address right away. */
export const LaterCopyButton = later(() =>
  import('#features/cohorts/copy-button.tsx').then(({ CopyButton }) => CopyButton),
);

/** FeedButton, which is rarely used twice. */
export const LaterFeedButton = later(() =>
  import('./feed-button.tsx').then(({ FeedButton }) => FeedButton),
);
