// What the parameters of an authorization request may be made of, and how long they may be: they are kept for somebody who has proven nothing yet.
// By whichever door they come, the engine has read them into one place.
import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { isStorableText } from '../../http/storable-text.ts';
import {
  authorizationParameterBytes,
  authorizationRequestBytes,
  otherParameterBytes,
} from '../../limits/strangers.ts';

/** @throws errors.InvalidRequest, which goes back to the client as every other mistake of its request. */
export function refuseLongParameters({ oidc }: KoaContextWithOIDC): void {
  let sum = 0;
  for (const [name, value] of Object.entries(oidc.params ?? {})) {
    if (value === undefined) continue;
    if (!isStorableText(String(value)))
      throw new errors.InvalidRequest(`${name} contains a character that no parameter may have`);
    const bytes = Buffer.byteLength(String(value));
    const most = authorizationParameterBytes[name] ?? otherParameterBytes;
    if (bytes > most) throw new errors.InvalidRequest(`${name} is longer than ${most} bytes`);
    sum += Buffer.byteLength(name) + bytes;
  }
  if (sum > authorizationRequestBytes)
    throw new errors.InvalidRequest(
      `the parameters are longer than ${authorizationRequestBytes} bytes in all`,
    );
}
