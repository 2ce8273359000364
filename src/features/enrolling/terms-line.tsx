import { Trans } from '@lingui/react/macro';

type TermsLineProps = { url: string | null; instructor: string };

/** Where the instructor's own terms are, for people who are about to take a place. */
export function TermsLine({ url, instructor }: TermsLineProps) {
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
