'use client';

import { later } from '#client/later.tsx';

/** MessageForm, on its page. */
export const LaterMessageForm = later(() =>
  import('./message-form.tsx').then(({ MessageForm }) => MessageForm),
);

/** AnnounceForm, on the schedule. */
export const LaterAnnounceForm = later(() =>
  import('./announce-form.tsx').then(({ AnnounceForm }) => AnnounceForm),
);
