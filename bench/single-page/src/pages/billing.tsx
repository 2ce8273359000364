import { useTranslation } from 'react-i18next';
import { Coming } from '../coming.tsx';

export function BillingPage() {
  const { t } = useTranslation();
  return <Coming title={t('billing')} texts={[t('billingAbout')]} />;
}
