// What an address of company settings is that belongs to no workspace: the way in and out, a new workspace, joining one.
import type { Context } from 'koa';
import type { SignedInPerson } from '../../accounts/page-session.ts';
import type { FormFields } from '../../http/form.ts';

export type EntryRequest = {
  person: SignedInPerson | undefined;
  params: Record<string, string>;
  /** Of a form, already proven to come from our own page. */
  fields: FormFields;
};

export type EntryRoute = {
  method: 'GET' | 'POST';
  /** Below `/settings`. */
  path: string;
  access: 'anyone' | 'signed in';
  handle(ctx: Context, request: EntryRequest): Promise<void>;
};
