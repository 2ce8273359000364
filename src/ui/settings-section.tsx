import type { ReactNode } from 'react';

type SettingsSectionProps = {
  /** Unique on the page: links lead here. */
  id: string;
  title: string;
  description?: ReactNode;
  children: ReactNode;
};

export function SettingsSection({ id, title, description, children }: SettingsSectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-heading`} className="card setting">
      <div>
        <h3 id={`${id}-heading`}>{title}</h3>
        {description && <p>{description}</p>}
      </div>
      <div>{children}</div>
    </section>
  );
}
