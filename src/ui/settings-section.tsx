import type { ReactNode } from 'react';

type SettingsPartProps = {
  /** Unique on the page. */
  id: string;
  title: string;
  /** What it is about: a tile or a disc, and a name. */
  sign?: ReactNode;
  name?: ReactNode;
  children: ReactNode;
};

/** One part of the settings page, with its sections. */
export function SettingsPart({ id, title, sign, name, children }: SettingsPartProps) {
  return (
    <section aria-labelledby={id} className="settings-part">
      <div className="settings-head">
        {sign}
        <div className="min-w-0">
          <h2 id={id}>{title}</h2>
          {name && <p className="text-sm text-muted">{name}</p>}
        </div>
      </div>
      {children}
    </section>
  );
}

type SettingsSectionProps = {
  /** Unique on the page: links lead here. */
  id: string;
  title: string;
  description: ReactNode;
  /** A second sentence. */
  note?: ReactNode;
  children: ReactNode;
};

export function SettingsSection({ id, title, description, note, children }: SettingsSectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-heading`} className="setting">
      <div>
        <h3 id={`${id}-heading`}>{title}</h3>
        <p>{description}</p>
        {note && <p>{note}</p>}
      </div>
      <div>{children}</div>
    </section>
  );
}
