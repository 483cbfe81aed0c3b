// An application's logo: accepted by what the bytes are, never by name or declared type, and stored
// only as we drew it again, so that nothing of the uploaded file ever reaches a browser (threat 43).
import { TollgateError } from '../errors.ts';
import { logoBytes, logoPixels, logoStoredPixels } from '../limits/pages.ts';

const ACCEPTED = new Set(['png', 'jpeg', 'webp']);
export const LOGO_CONTENT_TYPE = 'image/png';

/** @throws TollgateError invalid_request with what to change. @returns a PNG without metadata. */
export async function encodeLogo(uploaded: Uint8Array): Promise<Uint8Array> {
  if (uploaded.byteLength > logoBytes)
    throw new TollgateError('invalid_request', 'The logo is larger than 512 KiB.');
  // Loaded for the first logo: most processes never see one.
  const { default: sharp } = await import('sharp');
  try {
    // Only the header is read here; whoever is too large is refused before a pixel is drawn.
    const { format, width, height } = await sharp(uploaded, { limitInputPixels: false, pages: 1 }).metadata();
    if (!ACCEPTED.has(format))
      throw new TollgateError('invalid_request', 'The logo must be a PNG, JPEG or WebP image.');
    if (width > logoPixels || height > logoPixels) {
      throw new TollgateError(
        'invalid_request',
        `The logo is larger than ${logoPixels} × ${logoPixels} pixels.`,
      );
    }
    const inside = {
      width: logoStoredPixels,
      height: logoStoredPixels,
      fit: 'inside',
      withoutEnlargement: true,
    } as const;
    const image = sharp(uploaded, { limitInputPixels: logoPixels * logoPixels, pages: 1, failOn: 'error' });
    return await image.rotate().resize(inside).png().toBuffer();
  } catch (error) {
    if (error instanceof TollgateError) throw error;
    throw new TollgateError('invalid_request', 'The file is damaged or not an image.', { cause: error });
  }
}
