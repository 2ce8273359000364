'use client';

import { type ReactNode, useActionState, useRef } from 'react';
import { BusyLabels } from '#ui/busy-labels.tsx';
import type { ApiPath, MethodOf, OutputOf, Taken } from './api-routes.ts';
import { type ApiCall, type ApiFailure, callApi } from './call-api.ts';
import { reportFailure } from './failures.ts';

type ActionButtonProps<Path extends ApiPath, Method extends MethodOf<Path>> = {
  path: Path & Taken<Method>;
  call?: ApiCall<Path, Method>;
  children: ReactNode;
  pendingLabel: string;
  className?: string;
  /** The id of what says more than its words. */
  describedBy?: string;
  /** The id of what it is called, where its words are only a state. */
  labelledBy?: string;
  /** Makes it a switch. */
  isOn?: boolean;
  /** Asked before the request; if it resolves to false, nothing is sent. */
  mayStart?: () => Promise<boolean>;
  /** Called on success. `leaving` means that a navigation has started: the button stays busy. */
  onDone: (data: OutputOf<Path, Method>) => void | 'leaving' | Promise<void>;
  /** Returns true if it has handled the failure; otherwise the error dialog opens. */
  onFailure?: (failure: ApiFailure) => boolean;
};

/** A button that sends one request. A failure opens the error dialog, which can retry it. */
export function ActionButton<
  Path extends ApiPath,
  Method extends MethodOf<Path> = MethodOf<Path> & 'POST',
>(props: ActionButtonProps<Path, Method>) {
  const formRef = useRef<HTMLFormElement>(null);
  const [state, act, isPending] = useActionState<'idle' | 'leaving'>(perform, 'idle');

  async function perform(previous: 'idle' | 'leaving'): Promise<'idle' | 'leaving'> {
    // A second click, queued after the first.
    if (previous === 'leaving') {
      return previous;
    }
    if (props.mayStart && !(await props.mayStart())) {
      return 'idle';
    }
    const result = await callApi<Path, Method>(props.path, props.call);
    if (result.ok) {
      return (await props.onDone(result.data)) ?? 'idle';
    }
    if (!props.onFailure?.(result)) {
      reportFailure(result, () => formRef.current?.requestSubmit());
    }
    return 'idle';
  }
  const isBusy = isPending || state === 'leaving';
  return (
    // A form, because React replays submits from before hydration.
    <form ref={formRef} action={act}>
      <button
        type="submit"
        className={props.className ?? 'button'}
        aria-disabled={isBusy}
        aria-describedby={props.describedBy}
        aria-labelledby={props.labelledBy}
        {...(props.isOn !== undefined && { role: 'switch', 'aria-checked': props.isOn })}
      >
        <BusyLabels isBusy={isBusy} busyLabel={props.pendingLabel}>
          {props.children}
        </BusyLabels>
      </button>
    </form>
  );
}
