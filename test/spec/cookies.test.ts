// The signatures of the engine's cookies: the same as those of every earlier release, made with the newest key and
// accepted under any (docs/decisions/0401).
import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { cookieSigner } from '../../src/oidc/engine/engine-cookies.ts';
import { randomSecret } from '../../src/secrets.ts';

const [newest, older, foreign] = [randomSecret(), randomSecret(), randomSecret()];
const cookie = 'tollgate_session=9Qk1mUoYV0q3';
const signed = (secret: string) => createHmac('sha1', secret).update(cookie).digest('base64url');
const signer = cookieSigner([newest, older]);

test('a cookie is signed with the newest key, in the form in which browsers hold them already', () => {
  expect(signer.sign(cookie)).toBe(signed(newest));
});

test('a signature of any key in use is accepted, and no other', () => {
  expect(signer.index(cookie, signed(newest))).toBe(0);
  expect(signer.index(cookie, signed(older))).toBe(1);
  expect(signer.verify(cookie, signed(older))).toBe(true);
  for (const presented of [signed(foreign), '', `${signed(newest)}=`, signed(newest).toLowerCase()]) {
    expect(signer.index(cookie, presented)).toBe(-1);
    expect(signer.verify(cookie, presented)).toBe(false);
  }
  expect(signer.index(`${cookie}x`, signed(newest))).toBe(-1);
});
