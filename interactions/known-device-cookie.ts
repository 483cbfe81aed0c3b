// The cookie by which a browser shows that a person signed in here before (attack 91); its value is made and
// checked in src/accounts/known-device.ts.
import type { Context } from 'koa';
import { knownDevices, rememberDevice } from '../src/accounts/known-device.ts';
import { knownDeviceSeconds } from '../src/limits.ts';
import { type PageCookie, readCookie, writeCookie } from '../src/page-cookies.ts';
import type { Tools } from './visit.ts';

const cookie: PageCookie = { name: 'tollgate_device', path: '/interaction' };

export function isKnownDevice(tools: Pick<Tools, 'keys'>, ctx: Context): (accountId: string) => boolean {
  return knownDevices(tools.keys.device, readCookie(ctx, cookie));
}

export function rememberThisDevice(tools: Pick<Tools, 'keys'>, ctx: Context, accountId: string): void {
  const value = rememberDevice(tools.keys.device, readCookie(ctx, cookie), accountId);
  writeCookie(ctx, cookie, value, knownDeviceSeconds);
}
