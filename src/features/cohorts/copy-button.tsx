'use client';

import { useState } from 'react';

type CopyButtonProps = {
  text: string;
  label: string;
  copied: string;
  /** The id of the element to select where copying is not allowed. */
  shownIn: string;
  className: string;
};

/** Copies a text to the clipboard. */
export function CopyButton({ text, label, copied, shownIn, className }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);

  async function copy(): Promise<void> {
    try {
      await window.navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      // Not allowed here: it is selected instead.
      const shown = document.getElementById(shownIn);
      window.getSelection()?.selectAllChildren(shown ?? document.body);
    }
  }

  return (
    // A form, because React replays submits from before hydration.
    <form action={copy} className="contents">
      <button type="submit" className={className}>
        <span className={`icon size-4 ${isCopied ? 'icon-check' : 'icon-copy'}`} />
        <span className="labels">
          <span data-away={isCopied || undefined} aria-hidden={isCopied}>
            {label}
          </span>
          <span data-away={!isCopied || undefined} aria-hidden={!isCopied}>
            {copied}
          </span>
        </span>
      </button>
      <span role="status" className="sr-only">
        {isCopied && copied}
      </span>
    </form>
  );
}
