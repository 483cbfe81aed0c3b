// What the form of an application's appearance says beyond name and logo: read, checked, and told in a few words for the
// audit log. A form without a field leaves it as it is.
import {
  type Appearance,
  backgrounds,
  cornerKinds,
  requireLink,
  requireSenderName,
  requireSupport,
} from '../../applications/appearance.ts';
import type { FormFields } from '../../http/form.ts';
import { DEFAULT_ACCENT, HEX_COLOUR } from '../../page/colour.ts';
import type { Look } from '../../page/look-styles.ts';
import { problemOf } from './visit.ts';

export type LookProblems = Partial<
  Record<'accent' | 'terms' | 'privacy' | 'support' | 'sender_name', string>
>;
export type ReadLook = { look: Appearance; problems: LookProblems };

export async function readLook(fields: FormFields, current: Appearance): Promise<ReadLook> {
  const look = { ...current, ...readColours(fields, current) };
  const problems: LookProblems = {};
  const readers = [
    ['terms', 'termsUrl', requireLink],
    ['privacy', 'privacyUrl', requireLink],
    ['support', 'supportUrl', requireSupport],
    ['sender_name', 'senderName', requireSenderName],
  ] as const;
  for (const [field, key, read] of readers) {
    const typed = fields[field];
    if (typed === undefined) continue;
    const problem = await problemOf(() => read(typed));
    if (problem) problems[field] = problem;
    else look[key] = read(typed);
  }
  if (fields.accent !== undefined && colourOf(fields.accent) === undefined)
    problems.accent = 'Enter a colour such as #3451d1.';
  return { look, problems };
}

/** Also for a preview, where whatever is not known stays as it is. */
export function readColours(fields: FormFields, current: Look): Look {
  const accent = fields.accent === undefined ? undefined : colourOf(fields.accent);
  return {
    accent: accent === undefined ? current.accent : accent,
    background: backgrounds.find((each) => each === fields.background) ?? current.background,
    corners: cornerKinds.find((each) => each === fields.corners) ?? current.corners,
  };
}

/** Null: the service's own colour, which needs no style sheet. Undefined: not a colour. */
function colourOf(typed: string): string | null | undefined {
  const colour = typed.trim().toLowerCase();
  if (colour === '' || colour === DEFAULT_ACCENT) return null;
  return HEX_COLOUR.test(colour) ? colour : undefined;
}

/** "accent, terms": names, no values. */
export function changesOf(before: Appearance, after: Appearance): string {
  const names: Partial<Record<keyof Appearance, string>> = {
    accent: 'accent',
    background: 'background',
    corners: 'corners',
    termsUrl: 'terms',
    privacyUrl: 'privacy',
    supportUrl: 'support',
    senderName: 'sender name',
  };
  return Object.entries(names)
    .flatMap(([key, name]) =>
      before[key as keyof Appearance] === after[key as keyof Appearance] ? [] : [name],
    )
    .join(', ');
}
