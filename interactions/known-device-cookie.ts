// The cookie by which a browser shows that a person signed in here before (attack 91); its value is made and
// checked in src/accounts/known-device.ts.
import type { Context } from 'koa';
import { knownDevices, rememberDevice } from '../src/accounts/known-device.ts';
import { knownDeviceSeconds } from '../src/limits.ts';
import type { Tools } from './visit.ts';

const COOKIE = 'tollgate_device';

export function isKnownDevice(tools: Pick<Tools, 'keys'>, ctx: Context): (accountId: string) => boolean {
  return knownDevices(tools.keys.device, ctx.cookies.get(COOKIE, { signed: false }));
}

export function rememberThisDevice(
  tools: Pick<Tools, 'keys' | 'config'>,
  ctx: Context,
  accountId: string,
): void {
  const value = rememberDevice(tools.keys.device, ctx.cookies.get(COOKIE, { signed: false }), accountId);
  ctx.cookies.set(COOKIE, value, {
    signed: false,
    httpOnly: true,
    sameSite: 'lax',
    secure: tools.config.isSecure,
    path: '/interaction',
    maxAge: knownDeviceSeconds * 1000,
    overwrite: true,
  });
}
