// What webhooks and mails are sent to: an HTTPS endpoint and a mail server that answer at once, in a process of
// their own, and count.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSmtp } from '../test/harness/smtp.ts';
import { createAuthority, issueCertificate } from '../test/webhooks/sink.ts';
import { answerCalls } from './processes.ts';

let webhooks = 0;
let mails: Awaited<ReturnType<typeof startSmtp>> | undefined;

answerCalls({
  async start() {
    const authority = await createAuthority();
    const certificate = await issueCertificate({ authority });
    const server = createServer({ cert: certificate.cert, key: certificate.key }, (request, response) => {
      request.resume().on('end', () => {
        webhooks += 1;
        response.end('ok');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    mails = await startSmtp();
    const caFile = join(await mkdtemp(join(tmpdir(), 'tollgate-bench-')), 'ca.pem');
    await writeFile(caFile, authority.cert);
    return {
      webhookUrl: `https://localhost:${(server.address() as AddressInfo).port}/hooks`,
      smtpUrl: mails.url,
      caFile,
    };
  },
  count: () => ({ webhooks, mails: mails?.accepted.length ?? 0 }),
});
