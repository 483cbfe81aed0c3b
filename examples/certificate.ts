// The examples speak HTTPS with a certificate as `tollgate local-https` makes it (src/command/local-certificate.ts), under
// an authority of their own name.
import { keepCertificate as keep, makeCertificate as make } from '../src/command/local-certificate.ts';

export type Certificate = Awaited<ReturnType<typeof make>>;

const AUTHORITY = 'Tollgate demo authority';

export function makeCertificate(): Promise<Certificate> {
  return make(AUTHORITY);
}

export function keepCertificate(directory: string): Promise<Certificate & { caFile: string }> {
  return keep(directory, AUTHORITY);
}
