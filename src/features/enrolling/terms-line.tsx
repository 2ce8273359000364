import { Trans } from '@lingui/react/macro';

/** Where the instructor's own terms are, for people who are about to take a place. */
export function TermsLine({ url, instructor }: { url: string | null; instructor: string }) {
  const name = <bdi>{instructor}</bdi>;
  return (
    url !== null && (
      <p className="hint">
        <Trans>
          {name} has{' '}
          <a className="link" href={url} target="_blank" rel="noreferrer">
            terms for taking part
          </a>
          .
        </Trans>
      </p>
    )
  );
}
