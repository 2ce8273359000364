'use client';

import { type ComponentType, useEffect, useState } from 'react';
import { loadOrLeave } from '#client/check-by-schema.ts';
import type { CodeStepProps } from './code-step.tsx';

/** CodeStep, which only those load who wait for an email. If it can't be, the link is left. */
export function LaterCodeStep(props: CodeStepProps) {
  const [Step, setStep] = useState<ComponentType<CodeStepProps> | null>(null);

  useEffect(() => {
    void loadOrLeave(() => import('./code-step.tsx')).then((loaded) =>
      setStep(() => loaded?.CodeStep ?? null),
    );
  }, []);

  return <div className="code-step">{Step && <Step {...props} />}</div>;
}
