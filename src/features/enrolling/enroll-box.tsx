'use client';

import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import { ApiForm } from '#client/api-form.tsx';
import { callApi } from '#client/call-api.ts';
import { checkBySchema } from '#client/check-by-schema.ts';
import type { Locale } from '#db/values.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { withNumber } from '#lib/numbered-texts.ts';
import type { EnrollTexts } from './public-box.tsx';
import { checkConsent, EmailSent, FormEnd } from './public-form.tsx';
import type { Availability, EnrollmentRequestInput } from './schema.ts';

type EnrollBoxProps = {
  slug: string;
  /** `preview` sends nothing, and what has ended does not change. */
  mode: 'live' | 'preview' | 'ended';
  hue: string;
  /** When the page was rendered, which may be a minute ago. */
  state: string;
  /** Shown to the owner, whose preview nothing keeps; null where there is no number to show. */
  placesLeft: number | null;
  /** Null without one. */
  price: ReactNode;
  /** The price until a moment, ISO 8601; null if that is over. */
  early: { until: string; price: ReactNode } | null;
  /** Whether the price stands on the cover, and not above the form. */
  hasPriceOnCover: boolean;
  /** Until when people can enroll. */
  until: ReactNode;
  head: ReactNode;
  /** In the place of `head` unless anyone can enroll at once. */
  otherHead?: ReactNode;
  locale: Locale;
  /** As the form shows it; null without one. */
  question: string | null;
  messages: FormMessages;
  texts: EnrollTexts;
  /** By state. */
  bodies: Record<string, ReactNode>;
  /** For browsers without scripts. */
  needsScripts: ReactNode;
  consent: ReactNode;
  fields: ReactNode;
  foot: ReactNode;
  /** In the place of `foot` where anyone can enroll at once. */
  openFoot?: ReactNode;
};

type RequestInput = z.input<typeof EnrollmentRequestInput>;

type Live = Pick<Availability, 'enrollment_state' | 'places_left' | 'waiting'>;

/** Together with what caches keep, nothing that is shown is older than ten seconds. */
const lookEveryMs = 7_000;

/** Refusals that say how things are now: trying again would not help. */
const refusals = [
  'cohort_full',
  'cohort_invitation_only',
  'cohort_over',
  'enrollment_closed',
  'enrollment_not_open',
  'form_stale',
  'too_many_people',
];

const checkFields = checkBySchema(() =>
  import('./schema.ts').then(({ EnrollmentRequestInput }) => EnrollmentRequestInput),
);

/** What one can do about a cohort at this moment. */
export function EnrollBox(props: EnrollBoxProps) {
  const { slug, mode, hue, head, locale, texts, bodies } = props;
  const { live, isEarly, stampRef, look } = useAvailability(props);
  const [sent, setSent] = useState<{ to: string; input: RequestInput } | null>(null);
  const [values, setValues] = useState<Record<string, string>>({});
  const state = mode === 'ended' ? 'ended' : live.enrollment_state;
  const hasForm = state === 'open' || state === 'approval' || state === 'waitlist';
  const path = `/api/public/cohorts/${slug}/requests/` as const;
  const [hadForm, setHadForm] = useState(hasForm);
  if (hasForm && !hadForm) {
    setHadForm(true);
  }
  const boxRef = useRef<HTMLElement>(null);
  const isInView = useInView(boxRef);
  const price = isEarly && props.early !== null ? props.early.price : props.price;
  return (
    <>
      <section ref={boxRef} id="enroll" aria-labelledby="days" className="booklet public-box">
        <div className="cover" data-hue={hue}>
          {state === 'open' ? head : (props.otherHead ?? head)}
          {(state === 'open' || state === 'approval') && props.placesLeft !== null && (
            // Kept free until the number is there.
            <small>
              {live.places_left !== null && withNumber(texts.placesLeft, live.places_left, locale)}
            </small>
          )}
          {hasForm && <small>{props.until}</small>}
        </div>
        <div>
          {!props.hasPriceOnCover && price}
          {sent !== null && (
            <EmailSent
              address={sent.to}
              texts={texts}
              path={path}
              call={{ input: sent.input }}
              onBack={() => setSent(null)}
            />
          )}
          {sent === null && state !== 'open' && (
            <p>{(state === 'waitlist' && waitingText()) || (bodies[state] ?? bodies['closed'])}</p>
          )}
          {sent === null && hadForm && (
            // Not removed: what is typed is still there if a place is free again.
            <div hidden={!hasForm}>
              <ApiForm
                path={path}
                messages={props.messages}
                check={check}
                refusals={refusals}
                initialValues={values}
                toInput={toInput}
                onFailure={({ status }) => {
                  if (status === 422) {
                    void look();
                  }
                  return false;
                }}
                onDone={({ email }, sentValues) => {
                  setValues(sentValues);
                  setSent({ to: email, input: toInput(sentValues) });
                }}
              >
                {props.needsScripts}
                <fieldset disabled={mode === 'preview'} className="fields">
                  {props.fields}
                  <FormEnd
                    consent={props.consent}
                    label={labelFor(state)}
                    pendingLabel={texts.pending}
                  />
                </fieldset>
                {state === 'open' ? (props.openFoot ?? props.foot) : props.foot}
              </ApiForm>
            </div>
          )}
        </div>
      </section>
      {hasForm && sent === null && (
        <div className="price-bar" hidden={isInView}>
          {price}
          <a className="button button-primary ms-auto min-h-12" href="#enroll">
            {state === 'open' ? texts.enrollShort : labelFor(state)}
          </a>
        </div>
      )}
    </>
  );

  function toInput(typed: Record<string, string>): RequestInput {
    const { name = '', email = '', answer = null, website = '', consent } = typed;
    return {
      name,
      email,
      website,
      consent: consent !== undefined,
      language: locale,
      question: props.question,
      answer,
      stamp: stampRef.current?.text ?? '',
    };
  }

  async function check({ consent, website: _, ...fields }: Record<string, string>) {
    const rule = { code: 'consent_required', since: stampRef.current?.at ?? Date.now() };
    return checkConsent(await checkFields(fields), consent, rule);
  }

  function labelFor(offer: string): string {
    if (offer === 'approval') {
      return texts.askForPlace;
    }
    if (offer === 'waitlist') {
      return texts.joinWaitlist;
    }
    return isEarly ? texts.enrollEarly : texts.enroll;
  }

  function waitingText(): string | null {
    if (live.waiting === 0) {
      return texts.waiting.none;
    }
    return live.waiting === null ? null : withNumber(texts.waiting, live.waiting, locale);
  }
}

/** What the cohort offers, asked for again and again while the page is in sight. */
function useAvailability({ slug, mode, state, placesLeft, early }: EnrollBoxProps) {
  const earlyUntil = early?.until ?? null;
  const [isEarly, setIsEarly] = useState(earlyUntil !== null);
  const [live, setLive] = useState<Live>({
    enrollment_state: state,
    places_left: mode === 'preview' ? placesLeft : null,
    waiting: null,
  });
  // The first one: it says for how long the form has been there.
  const stampRef = useRef<{ text: string; at: number }>(null);
  const lookRef = useRef<() => Promise<void>>(async () => {});

  useEffect(() => {
    if (mode !== 'live') {
      return undefined;
    }
    let isOver = false;
    async function look(): Promise<void> {
      const answer = await callApi(`/api/public/cohorts/${slug}/` as const, { method: 'GET' });
      if (isOver) {
        return;
      }
      if (answer.ok) {
        stampRef.current ??= { text: answer.data.stamp, at: Date.now() };
        setLive(answer.data);
      } else {
        // A number that may be wrong by now is not shown.
        setLive((last) => ({ ...last, places_left: null, waiting: null }));
      }
    }
    const lookIfSeen = () => {
      if (document.visibilityState === 'visible') {
        setIsEarly(earlyUntil !== null && Date.now() < Date.parse(earlyUntil));
        void look();
      }
    };
    lookRef.current = look;
    lookIfSeen();
    const timer = setInterval(lookIfSeen, lookEveryMs);
    document.addEventListener('visibilitychange', lookIfSeen);
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', lookIfSeen);
    };
  }, [slug, mode, earlyUntil]);

  return { live, isEarly, stampRef, look: () => lookRef.current() };
}

/** Whether a part of an element can be seen; not known before the page is hydrated. */
function useInView(ref: RefObject<HTMLElement | null>): boolean {
  const [isInView, setIsInView] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) =>
      setIsInView(entry?.isIntersecting ?? false),
    );
    if (ref.current !== null) {
      observer.observe(ref.current);
    }
    return () => observer.disconnect();
  }, [ref]);
  return isInView;
}
