import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiError, onFailure } from './api.ts';
import { Modal } from './modal.tsx';

const known = [400, 401, 403, 404, 422, 429, 500, 503];

/** Explains why a change failed, and offers to retry if that may help. */
export function FailureDialog() {
  const { t } = useTranslation();
  const [failure, setFailure] = useState<{ error: ApiError; retry: () => void } | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(
    () =>
      onFailure((reported) => {
        setFailure(reported);
        setIsOpen(true);
      }),
    [],
  );

  const { status, body } = failure?.error ?? { status: null, body: null };
  const kind = status === null ? 'network' : known.includes(status) ? status : 'other';
  const isWorthRetrying = status === null || status === 429 || status >= 500;
  return (
    <Modal isOpen={isOpen} onOpenChange={setIsOpen} title={t(`failure.${kind}`)}>
      <p>{body?.message ?? t(`failure.${kind}About`)}</p>
      {body?.request_id && (
        <p className="text-sm text-muted">
          {t('failure.number')} {body.request_id}
        </p>
      )}
      <div className="actions">
        {status === 401 && (
          <a href="/login" className="button button-primary">
            {t('failure.login')}
          </a>
        )}
        {isWorthRetrying && (
          <button
            type="button"
            className="button button-primary"
            onClick={() => {
              setIsOpen(false);
              failure?.retry();
            }}
          >
            {t('failure.retry')}
          </button>
        )}
        <button type="button" className="button" onClick={() => setIsOpen(false)}>
          {t('close')}
        </button>
      </div>
    </Modal>
  );
}
