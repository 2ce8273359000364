import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { maxAlt } from '#features/documents/nodes.ts';
import { videoOf } from '#features/documents/videos.ts';
import { CloseButton, closeDialog, Dialog } from '#ui/dialog.tsx';
import { Field, FormContext, SubmitButton } from '#ui/form.tsx';
import type { EditorTexts } from './editor-texts.ts';
import { linkTo } from './link-to.ts';
import type { LoadedEditor } from './start-editor.ts';

const dialogId = 'editor-dialog';
/** The field that can be wrong. */
const addressField = 'editor_address';

type AskingProps = { editor: LoadedEditor; texts: EditorTexts };

/** Asks where the selected text leads to and, without a selection, for the text of the link. */
export function LinkDialog({ editor, texts: { linkDialog: texts, cancel } }: AskingProps) {
  const [{ href, needsText }] = useState(editor.link);
  return (
    <AskingDialog
      title={texts.title}
      cancel={cancel}
      submit={texts.submit}
      invalid={texts.invalid}
      more={
        href !== '' &&
        !needsText && (
          <button
            type="button"
            className="button button-quiet"
            onClick={() => {
              closeDialog(dialogId);
              editor.removeLink();
            }}
          >
            {texts.remove}
          </button>
        )
      }
      accept={(address, text) => {
        const link = linkTo(address);
        return link === null
          ? null
          : () => editor.setLink(link, needsText ? text || address.trim() : '');
      }}
    >
      <Field
        label={texts.address}
        name={addressField}
        hint={texts.addressHint}
        defaultValue={href}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
      />
      {needsText && (
        <Field
          label={texts.text}
          name="editor_text"
          autoComplete="off"
          maxLength={500}
          dir="auto"
        />
      )}
    </AskingDialog>
  );
}

/** Asks for the address of a video and the title on its cover. */
export function VideoDialog({ editor, texts: { videoDialog: texts, cancel } }: AskingProps) {
  const [video] = useState(editor.video);
  return (
    <AskingDialog
      title={texts.title}
      cancel={cancel}
      submit={video === null ? texts.add : texts.save}
      invalid={texts.invalid}
      accept={(address, title) => {
        const found = videoOf(linkTo(address) ?? '');
        return found === null ? null : () => editor.setVideo({ src: found.address, title });
      }}
    >
      <Field
        label={texts.address}
        name={addressField}
        hint={texts.addressHint}
        defaultValue={video?.src}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        label={texts.name}
        name="editor_text"
        hint={texts.nameHint}
        defaultValue={video?.title}
        autoComplete="off"
        maxLength={120}
        dir="auto"
      />
    </AskingDialog>
  );
}

type ImageDialogProps = { alt: string; texts: EditorTexts; onSave: (alt: string) => void };

/** Asks what an image shows. */
export function ImageDialog({ alt, texts: { files: texts, cancel }, onSave }: ImageDialogProps) {
  return (
    <AskingDialog
      title={texts.describe}
      cancel={cancel}
      submit={texts.saveAlt}
      invalid=""
      accept={(_address, typed) => () => onSave(typed)}
    >
      <Field
        label={texts.alt}
        name="editor_text"
        hint={texts.altHint}
        defaultValue={alt}
        autoComplete="off"
        maxLength={maxAlt}
        dir="auto"
      />
    </AskingDialog>
  );
}

type AskingDialogProps = {
  title: string;
  cancel: string;
  submit: string;
  /** Said about the address if it is not accepted. */
  invalid: string;
  more?: ReactNode;
  /** What to do with what was typed, after the dialog has closed; null if it can't be used. */
  accept: (address: string, text: string) => (() => void) | null;
  children: ReactNode;
};

/** A dialog that opens as soon as it is there, and whose form changes the text. */
function AskingDialog(props: AskingDialogProps) {
  const { title, cancel, submit, invalid, more, accept, children } = props;
  const [isInvalid, setIsInvalid] = useState(false);
  useEffect(() => {
    (document.getElementById(dialogId) as HTMLDialogElement | null)?.showModal();
  }, []);

  function apply(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const act = accept(
      String(typed.get(addressField)),
      String(typed.get('editor_text') ?? '').trim(),
    );
    setIsInvalid(act === null);
    if (act === null) {
      event.currentTarget.querySelector('input')?.focus();
    } else {
      closeDialog(dialogId);
      act();
    }
  }
  return (
    <Dialog id={dialogId} title={title}>
      <FormContext
        value={{
          isPending: false,
          submittedBy: null,
          errorOf: (name) => (isInvalid && name === addressField ? invalid : undefined),
          noteOf: () => null,
          problem: null,
          sentValue: () => undefined,
        }}
      >
        <form className="fields" onSubmit={apply} noValidate>
          {children}
          <div className="dialog-foot">
            {more}
            <CloseButton dialogId={dialogId}>{cancel}</CloseButton>
            <SubmitButton label={submit} pendingLabel={submit} />
          </div>
        </form>
      </FormContext>
    </Dialog>
  );
}
