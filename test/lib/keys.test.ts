import { expect, test } from 'vitest';
import { openSealedText, sealText } from '#lib/sealed-text.ts';
import { sign } from '#lib/tokens.ts';

const secret = 'a secret of the operator, 32 long';

test('values stored under a keyed hash are found by every later version', async () => {
  // HKDF and HMAC of RFC 5869 and 2104, computed by another implementation.
  expect(await sign('limit:mails', secret)).toBe(
    'e7d6fb18b0a59001dda4659414bdf23afbc7ae9bcb7595d9583dc6e1de91a6ea',
  );
});

test('another secret makes other hashes, and opens no sealed value', async () => {
  const sealed = await sealText('a bookmark', secret);

  expect(await openSealedText(sealed, secret)).toBe('a bookmark');
  expect(await openSealedText(sealed, `${secret}!`)).toBeNull();
  expect(await sign('limit:mails', `${secret}!`)).not.toBe(await sign('limit:mails', secret));
});
