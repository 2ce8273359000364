'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiForm, type ApiFormProps, type Values } from '#client/api-form.tsx';
import type { ApiPath, MethodOf } from '#client/api-routes.ts';
import type { ApiFailure } from '#client/call-api.ts';
import { SubmitButton } from '#ui/form.tsx';
import { PlanFoot } from './plan-foot.tsx';

type Form<Path extends ApiPath> = ApiFormProps<Path, MethodOf<Path> & 'POST'>;
type Answer<Path extends ApiPath> = Parameters<Form<Path>['onDone']>[0];

type PlanFormProps<Path extends ApiPath, Shown> = Pick<
  Form<Path>,
  'path' | 'messages' | 'check'
> & {
  id?: string;
  /** What the fields contain before anyone types, by their names. */
  proposed: Values;
  texts: {
    show: string;
    showing: string;
    /** What it would do, which screen readers say instead of reading all of it. */
    title: string;
  };
  /** The input that changes nothing and answers what it would do. */
  toPreview: (values: Values) => object;
  toShown: (answer: Answer<Path>, values: Values, form: HTMLElement) => Shown;
  /** What is shown, with the button that does it. */
  planned: (shown: Shown, isRefused: (failure: ApiFailure) => boolean) => ReactNode;
  /** Beside the button that shows it. */
  cancel?: ReactNode;
  onInput?: (form: HTMLElement) => void;
  onRefused?: (code: string) => void;
  children: ReactNode;
};

/** A form that first shows what it would do, and keeps what was typed. */
export function PlanForm<Path extends ApiPath, Shown>(props: PlanFormProps<Path, Shown>) {
  const { path, messages, check, texts, toShown } = props;
  const [shown, setShown] = useState<{ plan: Shown } | null>(null);
  const [typed, setTyped] = useState<Values | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  // A new form after each preview.
  const [round, setRound] = useState(0);
  const ref = useRef<HTMLDivElement>(null);
  const plannedRef = useRef<HTMLElement>(null);
  const refusalRef = useRef<HTMLDivElement>(null);
  // From there, the next Tab leads to the button that does it.
  useEffect(() => {
    if (shown !== null) {
      plannedRef.current?.focus();
    }
  }, [shown]);
  // The form and what it would do are longer than a screen.
  useEffect(() => {
    if (refusal !== null) {
      refusalRef.current?.focus();
    }
  }, [refusal]);

  /** Whether the server has said why not, which is shown above the form. */
  function isRefused({ status, body }: ApiFailure): boolean {
    if (status !== 422 || body === null) {
      return false;
    }
    setShown(null);
    setRefusal(body.message);
    props.onRefused?.(body.code);
    return true;
  }

  return (
    <div
      ref={ref}
      id={props.id}
      className="cohort-form max-w-[36rem]"
      data-unsaved={typed !== null || undefined}
      // What was shown is outdated.
      onInput={({ currentTarget }) => {
        setShown(null);
        setRefusal(null);
        props.onInput?.(currentTarget);
      }}
    >
      <div role="alert">
        {refusal !== null && (
          <div ref={refusalRef} className="alert mb-6" tabIndex={-1}>
            {refusal}
          </div>
        )}
      </div>
      <ApiForm<Path>
        key={round}
        path={path}
        messages={messages}
        {...(check && { check })}
        toInput={props.toPreview as never}
        onFailure={isRefused}
        initialValues={typed ?? props.proposed}
        onDone={(answer, values) => {
          setTyped(values);
          setRefusal(null);
          setRound(round + 1);
          setShown(ref.current && { plan: toShown(answer, values, ref.current) });
        }}
      >
        {props.children}
        <PlanFoot proposed={props.proposed}>
          {shown === null && (
            <div className="actions">
              <SubmitButton label={texts.show} pendingLabel={texts.showing} />
              {props.cancel}
            </div>
          )}
        </PlanFoot>
      </ApiForm>
      {shown !== null && (
        <section
          ref={plannedRef}
          className="planned mt-8 grid gap-6"
          tabIndex={-1}
          aria-label={texts.title}
        >
          {props.planned(shown.plan, isRefused)}
        </section>
      )}
    </div>
  );
}
