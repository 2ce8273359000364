/** The logo: an open book on a lectern. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <path
        fill="none"
        stroke="currentColor"
        strokeWidth="2.25"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="M16 9C13 6.5 9 5.500 4 6v12c5-.5 9 .5 12 3 3-2.500 7-3.500 12-3V6c-5-.5-9 .5-12 3Zm0 0v19m-5 0h10"
      />
    </svg>
  );
}

/** The product's name with its logo. */
export function Wordmark() {
  return (
    <span className="wordmark">
      <Mark />
      <span className="wordmark-name">Lectern</span>
    </span>
  );
}
