import { markOutline } from '#ui/brand.ts';

/** The mark: an open book on a lectern. */
export function Mark() {
  return (
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
  );
}

/** The product's name with its mark. */
export function Wordmark() {
  return (
    <span className="wordmark">
      <Mark />
      <span className="wordmark-name">Lectern</span>
    </span>
  );
}
