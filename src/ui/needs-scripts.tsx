import { Trans } from '@lingui/react/macro';

/** Says above a form that it does nothing without scripts, where there are none. */
export function NeedsScripts() {
  return (
    <noscript>
      <p className="notice">
        <Trans>
          This form needs JavaScript. Please turn it on in your browser and reload the page.
        </Trans>
      </p>
    </noscript>
  );
}
