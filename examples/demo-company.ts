// What the demo needs in a fresh Tollgate, made with the operations of the command line: a company, an application
// of each kind with money on it, an API key and a webhook subscription. Their secrets are shown only once, so the
// demo keeps them beside its data, for its own user only.
import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Tollgate } from '../src/tollgate.ts';

export type Addresses = { shop: string; singlePage: string; receiver: string };

const companySchema = z.object({
  addresses: z.object({ shop: z.string(), singlePage: z.string(), receiver: z.string() }),
  workspaceId: z.string(),
  shop: z.object({ applicationId: z.string(), clientId: z.string(), clientSecret: z.string() }),
  singlePage: z.object({ applicationId: z.string(), clientId: z.string() }),
  apiKey: z.string(),
  webhookSecret: z.string(),
});
export type Company = z.infer<typeof companySchema>;

type Options = { operator: Tollgate['operator']; file: string; addresses: Addresses };

export async function openCompany({ operator, file, addresses }: Options): Promise<Company> {
  const kept = await readCompany(file);
  const fits = kept && JSON.stringify(kept.addresses) === JSON.stringify(addresses);
  if (fits && (await exists(operator, kept.workspaceId))) return kept;
  const made = await createCompany(operator, addresses);
  await writeFile(file, `${JSON.stringify(made, undefined, 2)}\n`, { mode: 0o600 });
  return made;
}

async function readCompany(file: string): Promise<Company | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : companySchema.parse(JSON.parse(text));
}

/** The database may have been deleted and this file not. */
function exists(operator: Tollgate['operator'], workspace: string): Promise<boolean> {
  return operator('application list', { workspace }).then(
    () => true,
    () => false,
  );
}

async function createCompany(operator: Tollgate['operator'], addresses: Addresses): Promise<Company> {
  const { workspaceId: workspace } = await operator('workspace create', { name: 'Demo company' });
  const shop = await operator('application create', {
    workspace,
    name: 'Demo shop',
    callback: [`${addresses.shop}/callback`],
    postLogout: [`${addresses.shop}/`],
  });
  const singlePage = await operator('application create', {
    workspace,
    name: 'Demo single-page app',
    public: true,
    callback: [`${addresses.singlePage}/callback.html`],
    postLogout: [`${addresses.singlePage}/`],
  });
  for (const { applicationId } of [shop, singlePage]) {
    await operator('credit', {
      application: applicationId,
      amount: '10',
      reference: `demo-${applicationId}`,
    });
  }
  const { key } = await operator('api-key create', { workspace, name: 'Demo shop' });
  const { secret } = await operator('webhook create', { workspace, url: `${addresses.receiver}/webhooks` });
  return companySchema.parse({
    addresses,
    workspaceId: workspace,
    shop,
    singlePage,
    apiKey: key,
    webhookSecret: secret,
  });
}
