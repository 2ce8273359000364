'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import type { ApiFailure } from '#client/call-api.ts';
import { useFinish } from '#client/use-finish.ts';
import { type DrawnPicture, drawPicture, drawPreview, type PictureShape } from './draw-picture.ts';
import { pictureTypes } from './picture-path.ts';
import type { pictureTexts } from './picture-texts.ts';

/** What the form says, in one language. */
export type PictureTexts = ReturnType<typeof pictureTexts> &
  Record<'choose' | 'remove' | 'removed' | 'cut' | 'use' | 'saved', string>;

type PictureFormProps = {
  path: '/api/accounts/photo/' | `/api/courses/${string}/picture/`;
  shape: PictureShape;
  /** Whether there is one to remove. */
  hasPicture: boolean;
  /** Why none can be chosen; null if one can. */
  disabledReason: string | null;
  texts: PictureTexts;
  /** What is shown now. */
  children: ReactNode;
};

/** Chooses a picture, shows what of it is cut off, and sends it, drawn smaller; or removes it. */
export function PictureForm({
  path,
  shape,
  hasPicture,
  disabledReason,
  texts,
  children,
}: PictureFormProps) {
  const finish = useFinish();
  const ref = useRef<HTMLFieldSetElement>(null);
  /** Whether the focus goes back to the field, because its button goes. */
  const returnsRef = useRef(false);
  const [chosen, setChosen] = useState<DrawnPicture | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    // Chosen before the scripts were there.
    const input = ref.current?.querySelector('input');
    if (input?.files?.length) {
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a picture that is gone takes its button with it.
  useEffect(() => {
    if (chosen === null && returnsRef.current) {
      returnsRef.current = false;
      ref.current?.querySelector('input')?.focus();
    }
  }, [chosen, hasPicture]);

  async function read(file: File | undefined): Promise<void> {
    if (file === undefined || disabledReason !== null) {
      return;
    }
    const drawn = await drawPicture(file, shape).catch(() => null);
    setProblem(drawn === null ? texts.unreadable : null);
    setChosen(drawn);
  }

  /** Shows what the server says is wrong with the picture. Other failures open the error dialog. */
  function showsHere({ body }: ApiFailure): boolean {
    const isOurs = /^files?_/.test(body?.code ?? '');
    setProblem(isOurs ? (body?.message ?? null) : null);
    return isOurs;
  }

  function leave(): void {
    chosen?.image.close();
    setChosen(null);
    setProblem(null);
    returnsRef.current = true;
  }

  return (
    <fieldset
      ref={ref}
      className="picture-form"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(disabledReason === null);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        void read(event.dataTransfer.files[0]);
      }}
    >
      {chosen === null ? (
        <>
          {children}
          <div className="actions">
            <label className="button button-small" data-off={disabledReason !== null || undefined}>
              <input
                type="file"
                accept={pictureTypes.join()}
                className="sr-only"
                disabled={disabledReason !== null}
                aria-describedby={`${shape}-note`}
                onChange={({ currentTarget }) => {
                  void read(currentTarget.files?.[0]);
                  // So that the same one can be chosen again.
                  currentTarget.value = '';
                }}
              />
              {texts.choose}
            </label>
            {hasPicture && (
              <ActionButton
                path={path}
                call={{ method: 'DELETE' }}
                className="button button-small"
                pendingLabel={texts.removing}
                onDone={() => {
                  returnsRef.current = true;
                  return finish(texts.removed);
                }}
              >
                {texts.remove}
              </ActionButton>
            )}
          </div>
          <p id={`${shape}-note`} className="hint">
            {disabledReason ?? texts.drop}
          </p>
        </>
      ) : (
        <>
          <Preview picture={chosen} shape={shape} label={texts.preview} />
          <p className="hint">{texts.cut}</p>
          <div className="actions">
            <ActionButton
              path={path}
              call={{ method: 'PUT', input: chosen.body }}
              className="button button-small button-primary"
              pendingLabel={texts.sending}
              onFailure={showsHere}
              onDone={async () => {
                await finish(texts.saved);
                leave();
              }}
            >
              {texts.use}
            </ActionButton>
            <button type="button" className="button button-small button-quiet" onClick={leave}>
              {texts.cancel}
            </button>
          </div>
        </>
      )}
      <div role="alert">{problem !== null && <p className="field-error">{problem}</p>}</div>
    </fieldset>
  );
}

type PreviewProps = { picture: DrawnPicture; shape: PictureShape; label: string };

/** Takes the focus: the next Tab leads to the button that sends it. */
function Preview({ picture, shape, label }: PreviewProps) {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (ref.current !== null) {
      drawPreview(ref.current, picture, shape);
      ref.current.focus();
    }
  }, [picture, shape]);
  return (
    <canvas
      ref={ref}
      role="img"
      aria-label={label}
      tabIndex={-1}
      className="max-h-80 max-w-[min(100%,25rem)] rounded-float"
    />
  );
}
