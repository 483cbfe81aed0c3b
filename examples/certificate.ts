// A certificate for https://localhost and the authority that signed it, made on this machine: callbacks and
// webhook endpoints must be HTTPS. The authority's private key is never kept, so nothing else can
// ever be signed with it.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** `key` and `cert` are what node:https wants; `ca` is what a caller has to trust. All PEM. */
export type Certificate = { key: string; cert: string; ca: string };

const validDays = 365;

export async function makeCertificate(): Promise<Certificate> {
  const notAfterDate = new Date(Date.now() + validDays * 24 * 60 * 60 * 1000);
  const authority = await generate([{ name: 'commonName', value: 'Tollgate demo authority' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  const server = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  return { key: server.private, cert: server.cert, ca: authority.cert };
}

/** The same certificate at every start, so that a browser has to be told only once to accept it. */
export async function keepCertificate(directory: string): Promise<Certificate & { caFile: string }> {
  const files = { key: 'key.pem', cert: 'cert.pem', ca: 'ca.pem' };
  const caFile = join(directory, files.ca);
  try {
    const [key, cert, ca] = await Promise.all(
      [files.key, files.cert, files.ca].map((name) => readFile(join(directory, name), 'utf8')),
    );
    if (key && cert && ca) return { key, cert, ca, caFile };
  } catch {
    // Not made yet.
  }
  const made = await makeCertificate();
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFile(join(directory, files.key), made.key, { mode: 0o600 });
  await writeFile(join(directory, files.cert), made.cert);
  await writeFile(caFile, made.ca);
  return { ...made, caFile };
}
