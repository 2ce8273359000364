import {
  breadcrumbsIntegration,
  captureException,
  dedupeIntegration,
  eventFiltersIntegration,
  functionToStringIntegration,
  httpContextIntegration,
  init,
  linkedErrorsIntegration,
  makeFetchTransport,
  replayIntegration,
  setUser,
} from '@sentry/browser';
import { withoutSecrets } from '#observability/without-secrets.ts';
import { apiPaths } from '#paths.ts';
import type { ReportedPerson } from './watch-for-errors.ts';

export type ReportSettings = { dsn: string; environment: string; release: string };

/** What the SDK does for us. */
export type Reporting = {
  setPerson: (person: ReportedPerson | null) => void;
  /** @param requestId leads to what the server has to say of it */
  tell: (error: unknown, requestId?: string) => void;
};

type Transport = ReturnType<typeof makeFetchTransport>;
type Envelope = Parameters<Transport['send']>[0];
/** A header, and what the item is about: an object of the SDK's, or what was recorded, as text or bytes. */
type Item = [header: object, payload: unknown];

/**
 * Starts the SDK. It is large, so nothing else imports this file, and that only when it is needed.
 *
 * @param isRecorded from now on; otherwise from the first error on
 */
export function startSentry(settings: ReportSettings, isRecorded: boolean): Reporting {
  init({
    ...settings,
    // Our own origin, the only one that the content security policy lets pages speak to.
    tunnel: apiPaths.errorReports,
    transport: (options) => {
      const { send, flush } = makeFetchTransport(options);
      return { flush, send: (envelope) => send(cleanEnvelope(envelope)) };
    },
    // Errors are told to it by watch-for-errors.ts; visits are not counted.
    defaultIntegrations: false,
    integrations: [
      eventFiltersIntegration(),
      functionToStringIntegration(),
      breadcrumbsIntegration(),
      linkedErrorsIntegration(),
      dedupeIntegration(),
      httpContextIntegration(),
      replayIntegration({
        // The product wants texts to be read. What is typed is masked; it may not have been meant to be sent.
        maskAllText: false,
        maskAttributes: [],
        maskAllInputs: true,
        blockAllMedia: true,
        networkCaptureBodies: false,
        // Compressed, by a worker that the policy refuses, no recording could be cleaned of secrets on its way out.
        useCompression: false,
      }),
    ],
    replaysSessionSampleRate: isRecorded ? 1 : 0,
    replaysOnErrorSampleRate: 1,
    sendClientReports: false,
    dataCollection: {
      // Whose error it is we say ourselves; an address that Sentry sees is that of our worker.
      userInfo: false,
      cookies: false,
      httpHeaders: { request: { allow: ['User-Agent', 'Referer'] }, response: false },
      httpBodies: [],
      urlQueryParams: false,
    },
  });
  return {
    setPerson: setUser,
    tell(error, requestId) {
      captureException(error, {
        mechanism: { type: 'watch-for-errors', handled: false },
        ...(requestId !== undefined && { captureContext: { tags: { request_id: requestId } } }),
      });
    },
  };
}

/**
 * The one way out, for events and recordings alike: the hooks of the SDK do not see what the recorder has read off the page, nor the
 * address that it was at.
 */
function cleanEnvelope([header, items]: Envelope): Envelope {
  const cleaned: Item[] = [];
  for (const [itemHeader, payload] of items as Item[]) {
    if (typeof payload !== 'string' && !(payload instanceof Uint8Array)) {
      cleaned.push([itemHeader, withoutSecrets(payload)]);
    }
    // The number of the part in a line of its own, and all of its events in the next. What cannot be read is not sent.
    const [, number, events] =
      /^([^\n]*)\n(.*)$/s.exec(typeof payload === 'string' ? payload : '') ?? [];
    if (events !== undefined) {
      const text = `${number}\n${JSON.stringify(withoutSecrets(JSON.parse(events)))}`;
      cleaned.push([{ ...itemHeader, length: new TextEncoder().encode(text).length }, text]);
    }
  }
  // As it came, but for the texts in it.
  return [withoutSecrets(header), cleaned] as Envelope;
}
