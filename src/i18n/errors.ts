import { msg } from '@lingui/core/macro';

/** Shown if the data of a page could not be read. */
export const pageUnread = msg`This page couldn’t be shown. Please try again in a moment.`;

/** Shown if the viewer of a page could not be looked up. */
export const viewerUnknown = msg`Failed to fetch user information.`;

/** Shown by the browser, without an answer from the server. */
export const connectionUnsupportedPlayer = msg`We couldn’t reach Lectern. Please check your connection.`;

/** Shown where a session has ended, and on /login after that. */
export const sessionExpired = msg`Your session has expired. Please log in to continue.`;
