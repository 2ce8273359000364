import { tryGetContext } from 'hono/context-storage';
import { type HandlerInterceptor, unstable_setNonce as setNonce } from 'waku/router/server';

/** Gives Waku's inline scripts the nonce of middleware/response-headers.ts. At build time there is no request. */
const cspNonce: HandlerInterceptor = (next) => {
  const nonce: unknown = tryGetContext()?.get('secureHeadersNonce');
  if (typeof nonce === 'string') {
    setNonce(nonce);
  }
  return next();
};

export default cspNonce;
