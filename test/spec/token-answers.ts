// What the token endpoint answers to what it refuses, and what is left of a session that has ended.
import { expect } from '@jest/globals';
import type { Protocol, ProtocolApplication } from '../harness/protocol.ts';
import { type Answer, type Parameters, refresh, userinfo } from '../harness/protocol-client.ts';

export const offline: Parameters = { scope: 'openid email offline_access' };

export function expectError(answer: Answer, status: number, error: string): void {
  expect(answer.body).toEqual({ error, error_description: expect.any(String) });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.has('access-control-allow-origin')).toBe(false);
}

/** Everything of a browser session must be over: its access token and its refresh token. */
export async function expectEnded(
  protocol: Protocol,
  client: ProtocolApplication,
  body: Record<string, unknown>,
): Promise<void> {
  expect((await userinfo(protocol, body.access_token)).status).toBe(401);
  expectError(await refresh(protocol, client, body.refresh_token), 400, 'invalid_grant');
}
