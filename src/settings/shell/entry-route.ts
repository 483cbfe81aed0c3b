// What an address of company settings is that belongs to no workspace: the way in and out, a new workspace, joining one.
import type { Context } from 'koa';
import type { FormFields } from '../../http/form.ts';
import type { Guest } from './session.ts';

export type EntryRequest = {
  guest: Guest | undefined;
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
