import { useTranslation } from 'react-i18next';

type ComingProps = { title: string; subtitle?: string; texts: string[] };

/** A page that is not built yet, with what it will contain. */
export function Coming({ title, subtitle, texts }: ComingProps) {
  const { t } = useTranslation();
  return (
    <>
      <title>{`${title} · Lectern`}</title>
      <div className="page-head">
        <h1>{title}</h1>
        {subtitle && <p>{subtitle}</p>}
      </div>
      <section className="empty">
        <h2>{t('soon')}</h2>
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </section>
    </>
  );
}
