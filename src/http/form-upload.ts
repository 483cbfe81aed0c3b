// HTML forms with files in them (RFC 7578), read within a limit. The parser is the platform's own.
import type { Context } from 'koa';
import { TollgateError } from '../errors.ts';
import { uploadFormBytes } from '../limits/settings.ts';
import { type FormFields, readBody } from './form.ts';
import { isStorableText } from './storable-text.ts';

export type Upload = {
  fields: FormFields;
  /** Those that the person chose; the name that a file had elsewhere is nobody's concern. */
  files: Record<string, Uint8Array>;
};

/** @throws TollgateError for another content type, a body that is too large or broken, or a name sent twice. */
export async function readUpload(ctx: Context): Promise<Upload> {
  if (!ctx.request.is('multipart/form-data'))
    throw new TollgateError('unsupported_media_type', 'Send the form as multipart/form-data.');
  const body = await readBody(ctx, uploadFormBytes);
  const upload: Upload = { fields: Object.create(null), files: Object.create(null) };
  for (const [name, value] of await parse(body, ctx.get('content-type'))) {
    if (!isStorableText(typeof value === 'string' ? name + value : name))
      throw new TollgateError('invalid_request', `The field ${JSON.stringify(name)} cannot be read.`);
    if (name in upload.fields || name in upload.files)
      throw new TollgateError('invalid_request', `The field ${JSON.stringify(name)} was sent twice.`);
    if (typeof value === 'string') upload.fields[name] = value;
    else if (value.size > 0) upload.files[name] = new Uint8Array(await value.arrayBuffer());
  }
  return upload;
}

async function parse(body: Buffer, contentType: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  } catch (cause) {
    throw new TollgateError('invalid_request', 'The form could not be read. Please send it again.', {
      cause,
    });
  }
}
