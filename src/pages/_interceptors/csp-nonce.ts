import { type HandlerInterceptor, unstable_setNonce as setNonce } from 'waku/router/server';
import { tryCurrentRequest } from '#middleware/request-storage.ts';

/** Gives Waku's inline scripts the nonce of response-headers.ts. There is none at build time. */
const cspNonce: HandlerInterceptor = (next) => {
  const nonce = tryCurrentRequest()?.nonce;
  if (nonce !== undefined) {
    setNonce(nonce);
  }
  return next();
};

export default cspNonce;
