// Colours that a company chooses, made readable: white stands on the accent, and the accent itself stands as text on light
// and on dark grounds, each with the contrast that WCAG 2.2 asks for (contrast, minimum).

const READABLE = 4.5;
export const DEFAULT_ACCENT = '#3451d1';
export const HEX_COLOUR = /^#[0-9a-f]{6}$/;

type Rgb = [red: number, green: number, blue: number];

/** The colour, darkened until white text on it is readable; ours, where none was chosen. */
export function readableAccent(accent: string | null | undefined): string {
  return toward('#000000', accent ?? DEFAULT_ACCENT, (colour) => contrast(colour, '#ffffff'));
}

/** The colour as text on this ground: darkened on a light one, lightened on a dark one. */
export function readableOn(ground: string, accent: string): string {
  const end = luminance(ground) > 0.5 ? '#000000' : '#ffffff';
  return toward(end, accent, (colour) => contrast(colour, ground));
}

/** 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** A part of the way from one colour to another: 0 is the first, 1 the second. */
export function mix(from: string, to: string, part: number): string {
  const [a, b] = [parse(from), parse(to)];
  const mixed = a.map((value, place) => Math.round(value + ((b[place] ?? 0) - value) * part));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

const STEPS = 50;

function toward(end: string, colour: string, measure: (colour: string) => number): string {
  for (let step = 0; step < STEPS; step += 1) {
    const candidate = mix(colour, end, step / STEPS);
    if (measure(candidate) >= READABLE) return candidate;
  }
  return end;
}

function luminance(colour: string): number {
  const [red, green, blue] = parse(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function parse(colour: string): Rgb {
  const number = Number.parseInt(colour.slice(1), 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}
