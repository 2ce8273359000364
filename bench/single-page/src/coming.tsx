import { useTranslation } from 'react-i18next';

type ComingProps = { icon: string; title: string; subtitle?: string; texts: string[] };

/** A page that is not built yet, with what it will contain. */
export function Coming({ icon, title, subtitle, texts }: ComingProps) {
  const { t } = useTranslation();
  return (
    <>
      <title>{`${title} · Lectern`}</title>
      <div>
        <h1>{title}</h1>
        {subtitle && <p className="mt-2 text-muted">{subtitle}</p>}
      </div>
      <section className="card coming">
        <span className="medallion" aria-hidden="true">
          <span className={`icon icon-${icon}`} />
        </span>
        <p className="badge">{t('soon')}</p>
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </section>
    </>
  );
}
