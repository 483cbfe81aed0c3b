// A certificate for https://localhost and the authority that signed it, made on this machine: callbacks and webhook
// endpoints must be HTTPS, on one's own machine too. The authority's private key is never kept, so
// nothing else can ever be signed with it, and a machine that trusts it trusts this one certificate.
import { X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { localCertificateDays, localCertificateRenewalDays } from '../limits/operations.ts';

/** `key` and `cert` are what node:https wants; `ca` is what a caller has to trust. All PEM. */
export type Certificate = { key: string; cert: string; ca: string };
export type KeptCertificate = Certificate & { caFile: string };

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

const AUTHORITY = 'Tollgate on this machine';

export async function makeCertificate(authorityName = AUTHORITY): Promise<Certificate> {
  const notAfterDate = new Date(Date.now() + localCertificateDays * DAY_MILLISECONDS);
  const authority = await generate([{ name: 'commonName', value: authorityName }], {
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

const files = { key: 'key.pem', cert: 'cert.pem', ca: 'ca.pem' };

/** The same certificate at every start, so that a browser has to be told only once; a new one before it ends. */
export async function keepCertificate(
  directory: string,
  authorityName = AUTHORITY,
): Promise<KeptCertificate> {
  const caFile = join(directory, files.ca);
  const kept = await readKept(directory);
  if (kept) return { ...kept, caFile };
  const made = await makeCertificate(authorityName);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFile(join(directory, files.key), made.key, { mode: 0o600 });
  await writeFile(join(directory, files.cert), made.cert);
  await writeFile(caFile, made.ca);
  return { ...made, caFile };
}

/** As a browser shows it: for the person who compares before trusting. */
export function fingerprintOf(pem: string): string {
  return new X509Certificate(pem).fingerprint256;
}

async function readKept(directory: string): Promise<Certificate | undefined> {
  try {
    const read = (name: string) => readFile(join(directory, name), 'utf8');
    const [key, cert, ca] = await Promise.all([read(files.key), read(files.cert), read(files.ca)]);
    const endsAt = new Date(new X509Certificate(cert).validTo).getTime();
    const isFresh = endsAt - Date.now() > localCertificateRenewalDays * DAY_MILLISECONDS;
    return key && ca && isFresh ? { key, cert, ca } : undefined;
  } catch {
    // Not made yet, or not whole.
    return undefined;
  }
}
