// The cookie by which a browser shows that a person signed in here before (threat 91); its value is made and
// checked in src/accounts/known-device.ts.
import type { Context } from 'koa';
import { findAccount } from '../src/accounts/account.ts';
import { knownDevices, type NameOfDevice, rememberDevice } from '../src/accounts/known-device.ts';
import { type PageCookie, readCookie, writeCookie } from '../src/http/cookies.ts';
import { knownDeviceSeconds } from '../src/limits/pages.ts';
import type { Dependencies } from './visit.ts';

/** For the whole host: what is done on the account page makes this browser known anew. */
const cookie: PageCookie = { name: 'tollgate_device', path: '/' };

export function nameOfDevice(deps: Pick<Dependencies, 'keys'>, ctx: Context): NameOfDevice {
  return knownDevices(deps.keys.device, readCookie(ctx, cookie));
}

export function rememberThisDevice(
  deps: Pick<Dependencies, 'keys'>,
  ctx: Context,
  account: { id: string; generation: number },
): void {
  const value = rememberDevice(deps.keys.device, readCookie(ctx, cookie), account);
  writeCookie(ctx, cookie, value, knownDeviceSeconds);
}

/** What this browser has just changed has put out everybody else; it stays a browser that its owner signs in with. */
export async function stayKnown(
  deps: Pick<Dependencies, 'keys' | 'db'>,
  ctx: Context,
  accountId: string,
): Promise<void> {
  const account = await findAccount(deps.db, accountId);
  if (account) rememberThisDevice(deps, ctx, account);
}
