// Many pictures of pages on one sheet, small enough to be kept: rows of thumbnails with their names below them.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

export type SheetSize = { columns: number; width: number; height: number };

const GAP = 16;
const CAPTION = 22;
const QUALITY = 55;

/** WebP, of the pictures whose names begin with one of these words, in the order of their names. */
export async function makeSheet(
  folder: string,
  { families, size, to }: { families: string[]; size: SheetSize; to: string },
): Promise<number> {
  const files = (await readdir(folder)).filter((file) => families.some((family) => file.startsWith(family)));
  files.sort();
  const { columns, width, height } = size;
  const [across, down] = [width + GAP, height + CAPTION + GAP];
  const tiles = await Promise.all(
    files.map(async (file, place) => {
      const left = GAP + (place % columns) * across;
      const top = GAP + Math.floor(place / columns) * down;
      const picture = await sharp(join(folder, file))
        .resize({ width })
        .extract({
          left: 0,
          top: 0,
          width,
          height: Math.min(height, await heightAt(join(folder, file), width)),
        })
        .toBuffer();
      return [
        { input: picture, left, top },
        { input: caption(file.replace(/\.png$/, ''), width), left, top: top + height },
      ];
    }),
  );
  const rows = Math.ceil(files.length / columns);
  const canvas = {
    width: GAP + columns * across,
    height: GAP + rows * down,
    channels: 3,
    background: '#8b91a0',
  } as const;
  const { size: bytes } = await sharp({ create: canvas })
    .composite(tiles.flat())
    .webp({ quality: QUALITY })
    .toFile(to);
  return bytes;
}

async function heightAt(file: string, width: number): Promise<number> {
  const { width: own = width, height = 0 } = await sharp(file).metadata();
  return Math.floor((height * width) / own);
}

function caption(text: string, width: number): Buffer {
  const shown = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${CAPTION}"><text x="2" y="16" font-family="sans-serif" font-size="13" fill="#14161b">${shown}</text></svg>`,
  );
}
