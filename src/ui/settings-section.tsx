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
      <div className="settings-head flex items-start gap-4 border-rule border-b">
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
    <section
      id={id}
      aria-labelledby={`${id}-heading`}
      className="setting grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-4 py-7 @min-[36rem]:grid-cols-[13.5rem_minmax(0,1fr)]"
    >
      <div>
        <h3 id={`${id}-heading`}>{title}</h3>
        <p className="mt-1 text-muted text-sm/5">{description}</p>
        {note && <p className="mt-2 text-muted text-sm/5">{note}</p>}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start justify-items-start gap-4 *:max-w-full">
        {children}
      </div>
    </section>
  );
}
