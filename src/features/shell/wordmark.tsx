import { markOutline } from './drawing.ts';

/** The product's name with its mark, an open book on a lectern. */
export function Wordmark() {
  return (
    <span className="wordmark">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <path
          fill="none"
          stroke="currentColor"
          strokeWidth="2.25"
          strokeLinecap="round"
          strokeLinejoin="round"
          d={markOutline}
        />
      </svg>
      <span className="wordmark-name">Lectern</span>
    </span>
  );
}
