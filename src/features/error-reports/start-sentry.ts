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

/** The part of the SDK that we use. */
export type Reporting = ReturnType<typeof startSentry>;

type Envelope = Parameters<ReturnType<typeof makeFetchTransport>['send']>[0];
/** The item's header and its payload: an object of the SDK, or a recording as text or bytes. */
type Item = [header: object, payload: unknown];

/**
 * Starts the SDK. It is large, so this file is imported only when it is needed.
 *
 * @param isRecorded whether to record from now on instead of from the first error
 */
export function startSentry(settings: ReportSettings, isRecorded: boolean) {
  init({
    ...settings,
    // Our own origin, the only one that the content security policy allows.
    tunnel: apiPaths.errorReports,
    transport: (options) => {
      const { send, flush } = makeFetchTransport(options);
      return { flush, send: (envelope) => send(cleanEnvelope(envelope)) };
    },
    // watch-for-errors.ts reports errors to it; visits are not counted.
    defaultIntegrations: false,
    integrations: [
      eventFiltersIntegration(),
      functionToStringIntegration(),
      breadcrumbsIntegration(),
      linkedErrorsIntegration(),
      dedupeIntegration(),
      httpContextIntegration(),
      replayIntegration({
        // Texts stay readable. Inputs are masked: not everything typed was meant to be sent.
        maskAllText: false,
        maskAttributes: [],
        maskAllInputs: true,
        blockAllMedia: true,
        networkCaptureBodies: false,
        // The CSP refuses the compressing worker, and compressed data can hide secrets.
        useCompression: false,
      }),
    ],
    replaysSessionSampleRate: isRecorded ? 1 : 0,
    replaysOnErrorSampleRate: 1,
    sendClientReports: false,
    dataCollection: {
      // We set the user ourselves; the IP address that Sentry sees is our worker's.
      userInfo: false,
      cookies: false,
      httpHeaders: { request: { allow: ['User-Agent', 'Referer'] }, response: false },
      httpBodies: [],
      urlQueryParams: false,
    },
  });
  return {
    setPerson: (person: ReportedPerson | null) => setUser(person),
    /** @param requestId leads to the server's log lines about it */
    report(error: unknown, requestId?: string) {
      captureException(error, {
        mechanism: { type: 'watch-for-errors', handled: false },
        ...(requestId !== undefined && { captureContext: { tags: { request_id: requestId } } }),
      });
    },
  };
}

/**
 * Removes secrets from everything that is sent. The SDK's hooks are not enough: they do not see
 * what the recorder reads from the page, nor the page's URL.
 */
function cleanEnvelope([header, items]: Envelope): Envelope {
  const cleaned: Item[] = [];
  for (const [itemHeader, payload] of items as Item[]) {
    if (typeof payload !== 'string' && !(payload instanceof Uint8Array)) {
      cleaned.push([itemHeader, withoutSecrets(payload)]);
    }
    // One line with the segment's number, one with its events. What cannot be parsed is not sent.
    const [, number, events] =
      /^([^\n]*)\n(.*)$/s.exec(typeof payload === 'string' ? payload : '') ?? [];
    if (events !== undefined) {
      const text = `${number}\n${JSON.stringify(withoutSecrets(JSON.parse(events)))}`;
      cleaned.push([{ ...itemHeader, length: new TextEncoder().encode(text).length }, text]);
    }
  }
  // Unchanged except for its texts.
  return [withoutSecrets(header), cleaned] as Envelope;
}
