import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Standing } from '#db/values.ts';

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

type ListMenuProps = {
  cohortId: string;
  canImport: boolean;
  /** How those get on who are listed; null for all. */
  standing: Standing | null;
  children: ReactNode;
};

/** What can be done with all people at once. */
export function ListMenu({ cohortId, canImport, standing, children }: ListMenuProps) {
  const file = `/api/cohorts/${cohortId}/roster.csv`;
  return (
    <>
      <button type="button" className="button" popoverTarget={menuId}>
        {canImport ? <Trans>Import or export</Trans> : <Trans>Export</Trans>}
      </button>
      <div id={menuId} popover="auto" data-menu className="menu">
        {canImport && <ImportLink cohortId={cohortId} className="menu-item" />}
        {children}
        {/* With the delimiter that spreadsheets in the viewer's language know. */}
        <a className="menu-item" href={file} download>
          <Trans>Download for Excel or Google Sheets (CSV)</Trans>
        </a>
        {standing !== null && (
          <a className="menu-item" href={`${file}?state=${standing}`} download>
            <Trans>Download only those shown (CSV)</Trans>
          </a>
        )}
      </div>
    </>
  );
}
