import { useLingui } from '@lingui/react/macro';
import { markOutline, markRules } from '#ui/brand.ts';

/** The left half of pages before the app, on a desk: the product as the cover of a book. */
export function CoverPanel() {
  const { t } = useLingui();
  return (
    <aside className="cover frame-panel">
      <div>
        <span className="wordmark">Lectern</span>
        <svg viewBox="3.83 5.7 24.34 22.5" aria-hidden="true">
          <path d={markOutline} />
          <path d={markRules} />
        </svg>
        <p className="frame-line">{t`A calm place to build and run your courses.`}</p>
      </div>
    </aside>
  );
}
