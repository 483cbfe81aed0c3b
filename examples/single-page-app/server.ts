// Delivers the single-page app over HTTPS: bundled once at the start, with a policy that lets it talk to the
// issuer and to nobody else. Runs by itself from ISSUER and CLIENT_ID.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Certificate, makeCertificate } from '../certificate.ts';

export type SinglePageAppOptions = {
  /** {base_url} */
  issuer: string;
  clientId: string;
  /** Default 4002. Register https://localhost:<port>/callback.html, and https://localhost:<port> as its origin. */
  port?: number;
  tls?: Pick<Certificate, 'key' | 'cert'>;
};
export type SinglePageApp = { url: string; close(): Promise<void> };

export async function startSinglePageApp(options: SinglePageAppOptions): Promise<SinglePageApp> {
  const { issuer, clientId, port = 4002, tls = await makeCertificate() } = options;
  const page = await readFile(new URL('./index.html', import.meta.url), 'utf8');
  const style = await readFile(new URL('../example.css', import.meta.url), 'utf8');
  const html = { type: 'text/html; charset=utf-8', body: page };
  const files = new Map([
    ['/', html],
    ['/callback.html', html],
    ['/style.css', { type: 'text/css; charset=utf-8', body: style }],
    ['/app.js', { type: 'text/javascript; charset=utf-8', body: await bundle() }],
    ['/settings.json', { type: 'application/json', body: JSON.stringify({ issuer, clientId }) }],
  ]);
  const policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self' ${new URL(issuer).origin}; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`;

  const server = createServer(tls, (request, response) => {
    const file = files.get(new URL(request.url ?? '/', 'https://localhost').pathname);
    response.setHeader('content-security-policy', policy);
    response.setHeader('cache-control', 'no-store');
    response.setHeader('referrer-policy', 'no-referrer');
    if (!file || request.method !== 'GET') return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': file.type }).end(file.body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, 'localhost', resolve);
  });
  return {
    url: `https://localhost:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./app.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    minify: true,
  });
  const [output] = outputFiles;
  if (!output) throw new Error('esbuild wrote nothing');
  return output.text;
}

if (import.meta.main) {
  const { ISSUER, CLIENT_ID, PORT } = process.env;
  if (!ISSUER || !CLIENT_ID) throw new Error('set ISSUER and CLIENT_ID');
  const { url } = await startSinglePageApp({
    issuer: ISSUER,
    clientId: CLIENT_ID,
    ...(PORT && { port: Number(PORT) }),
  });
  console.log(
    `The single-page app is at ${url}; register ${url}/callback.html as its callback, ${url} as its origin.`,
  );
}
