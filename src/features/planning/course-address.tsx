import { Plural, Trans } from '@lingui/react/macro';
import { AddressLine } from '#features/cohorts/address-line.tsx';

const addressId = 'course-address';

type CourseAddressProps = {
  url: string;
  /** How many people wait for an email. */
  interested: number;
};

/** The public page of a course, for its owner. */
export function CourseAddress({ url, interested }: CourseAddressProps) {
  return (
    <section aria-labelledby="course-page" className="public-address course-address">
      <h2 id="course-page">
        <Trans>Public page of the course</Trans>
      </h2>
      <p className="hint">
        <Trans>
          It lists current and upcoming cohorts. Its address stays the same from cohort to cohort.
        </Trans>
      </p>
      <AddressLine id={addressId} url={url} />
      {interested > 0 && (
        <p className="hint">
          <Plural
            value={interested}
            one="# person wants to know when enrollment opens. We’ll email them then."
            other="# people want to know when enrollment opens. We’ll email them then."
          />
        </p>
      )}
    </section>
  );
}
