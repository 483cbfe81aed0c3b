// Traces, against a collector that is a plain HTTP server: what is sent when OTEL_EXPORTER_OTLP_ENDPOINT is set, and
// that nothing of OpenTelemetry is loaded when it is not.
import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { signInAs } from '../harness/browserless-person.ts';
import { exchange, readCallback, startAttempt } from '../harness/client.ts';
import { freePort } from '../harness/free-port.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';

const attributeSchema = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const batchSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attributeSchema) }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              name: z.string(),
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              attributes: z.array(attributeSchema),
            }),
          ),
        }),
      ),
    }),
  ),
});
type Span = z.infer<typeof batchSchema>['resourceSpans'][0]['scopeSpans'][0]['spans'][0];

let collector: Server;
let service: TestTollgate;
const bodies: string[] = [];
const paths = new Set<string>();

beforeAll(async () => {
  collector = createServer((request, response) => {
    paths.add(request.url ?? '');
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  const port = await freePort();
  await new Promise<void>((ready) => collector.listen(port, '127.0.0.1', ready));
  service = await startTollgate({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    TRUST_PROXY: '1',
  });
});
afterAll(async () => {
  collector.closeAllConnections();
  await new Promise((done) => collector.close(done));
});

const spans = (): Span[] =>
  bodies.flatMap((body) =>
    batchSchema
      .parse(JSON.parse(body))
      .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );

test('requests, the token charge inside its request, and mails are spans; none of them says who or with what', async () => {
  const application = await service.register();
  const attempt = startAttempt(service, application);
  const email = 'ada.canary@example.test';
  const { code = '' } = readCallback(await signInAs({ authorizationUrl: attempt.url, email }));
  const { status, body } = await exchange(service, application, {
    code,
    verifier: attempt.verifier,
    headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
  });
  expect(status).toBe(200);
  await service.stop();

  expect([...paths]).toEqual(['/v1/traces']);
  const named = (name: string) => spans().filter((span) => span.name === name);
  const [request] = named('POST /oauth/token');
  const [charge] = named('token charge');
  expect(request).toMatchObject({
    traceId: '0af7651916cd43dd8448eb211c80319c',
    parentSpanId: 'b7ad6b7169203331',
  });
  expect(charge).toMatchObject({ traceId: request?.traceId, parentSpanId: request?.spanId });
  expect(request?.attributes.map(({ key }) => key)).toEqual(
    expect.arrayContaining(['http.route', 'http.response.status_code', 'tollgate.request']),
  );
  expect(named('mail job')).toHaveLength(1);
  expect(named('GET /interaction/:uid/sign-in').length).toBeGreaterThan(0);
  const everything = bodies.join('\n');
  const canaries = [email, code, attempt.verifier, attempt.state, attempt.nonce, application.id];
  for (const canary of [...canaries, String(body.access_token), application.clientSecret ?? ''])
    expect(everything).not.toContain(canary);
  const line = service.logLines.find((text) => text.includes('0af7651916cd43dd8448eb211c80319c'));
  expect(line).toContain('/oauth/token');
});

test('without the setting neither SDK nor exporter is loaded', async () => {
  // Its bare interfaces (@opentelemetry/api) come with prom-client; everything that does work must stay away.
  const script = `
    import { registerHooks } from 'node:module';
    let loaded = 0;
    registerHooks({
      load(url, context, next) {
        if (/@opentelemetry.(sdk|exporter|otlp|resources)/.test(url)) loaded += 1;
        return next(url, context);
      },
    });
    const { startTracing } = await import('./dist/src/telemetry/tracing.js');
    await import('./dist/src/tollgate.js');
    await startTracing({ endpoint: undefined, trustProxy: 0 });
    const before = loaded;
    const tracing = await startTracing({ endpoint: 'http://127.0.0.1:9', trustProxy: 0 });
    await tracing.stop();
    console.log(before, loaded > 0);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: resolve(import.meta.dirname, '../..'),
  });
  expect(stdout.trim()).toBe('0 true');
});
