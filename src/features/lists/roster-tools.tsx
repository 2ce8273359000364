import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';

type ImportLinkProps = { cohortId: string; className?: string };

/** Leads to where people are brought in from a list. */
export function ImportLink({ cohortId, className = 'button' }: ImportLinkProps) {
  return (
    <a className={className} href={`/cohorts/${cohortId}/import`}>
      <Trans>Import a list</Trans>
    </a>
  );
}

const menuId = 'list-menu';

type ListMenuProps = { cohortId: string; canImport: boolean; children: ReactNode };

/**
 * What can be done with all people at once. Files have the delimiter first that spreadsheets in the
 * language know.
 */
export function ListMenu({ cohortId, canImport, children }: ListMenuProps) {
  const { i18n, t } = useLingui();
  const kinds = [
    { delimiter: ',', label: t`CSV with commas` },
    { delimiter: ';', label: t`CSV with semicolons` },
  ];
  const shown = i18n.locale === 'fr' ? kinds.toReversed() : kinds;
  return (
    <>
      <button type="button" className="button" popoverTarget={menuId}>
        {canImport ? <Trans>Import or export</Trans> : <Trans>Export</Trans>}
      </button>
      <div id={menuId} popover="auto" data-menu className="menu">
        {canImport && <ImportLink cohortId={cohortId} className="menu-item" />}
        {children}
        {shown.map(({ delimiter, label }) => (
          <a
            key={delimiter}
            className="menu-item"
            href={`/api/cohorts/${cohortId}/roster.csv?${new URLSearchParams({ delimiter })}`}
            download
          >
            {label}
          </a>
        ))}
      </div>
    </>
  );
}
