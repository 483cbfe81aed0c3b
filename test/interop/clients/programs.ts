// Clients in other languages: programs that print where the browser goes, read where it came back, and print the address.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { RegisteredApplication } from '../../harness/tollgate.ts';
import { type Driver, type Run, toCallback } from './drivers.ts';

type Program = {
  command: string;
  words: string[];
  /** Where the library expects it; nobody listens there. */
  callback?: string;
  environment?: (application: RegisteredApplication) => Promise<Record<string, string>>;
};

export async function withProgram(program: Program, run: Run): Promise<string> {
  const { command, words, callback = 'https://app.example.test/callback', environment } = program;
  const application = await run.register(callback);
  const { clientId, clientSecret = '' } = application;
  const known = { ISSUER: run.issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, CALLBACK: callback };
  const more = await environment?.(application);
  const child = spawn(command, words, {
    env: { ...process.env, ...known, ...more },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (data) => (complaint += String(data)));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => {
    const { done, value } = await lines.next();
    if (done) throw new Error(`the program ended: ${complaint}`);
    return String(value);
  };
  try {
    const start = await nextLine();
    child.stdin.end(`${await toCallback(start, run.email)}\n`);
    return await nextLine();
  } finally {
    child.kill();
  }
}

/** Built from go-oidc/main.go. */
export const goOidc = (program: string, version: string): Driver => ({
  name: 'go-oidc with oauth2 (Go)',
  version,
  lines: '`AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(verifier))`',
  signIn: (run) => withProgram({ command: program, words: run.hasLines ? ['nonce', 'pkce'] : [] }, run),
});

/** Built from rust/ by `cargo build`; its Cargo.toml names the version. */
export const rustOpenidconnect = (program: string): Driver => ({
  name: 'openidconnect (Rust)',
  version: '4.1.0',
  lines:
    '`set_pkce_challenge(challenge)` and `set_pkce_verifier(verifier)`, [as below](#openidconnect-for-rust)',
  signIn: (run) => withProgram({ command: program, words: run.hasLines ? ['pkce'] : [] }, run),
});
