// The style sheet of one application's look. It is made of checked values alone (colours of six digits, names from a list),
// so nothing that somebody typed ever stands in it; every colour is brought to the contrast that it needs.
import { sha256 } from '../secrets.ts';
import { contrast, DEFAULT_ACCENT, HEX_COLOUR, mix, readableAccent, readableOn } from './colour.ts';

export type Look = {
  accent: string | null;
  background: 'plain' | 'bright' | 'tint' | 'gradient';
  corners: 'square' | 'soft' | 'round';
};

/** The grounds of src/page/styles-theme.ts that text in the accent stands on. */
const grounds = { light: '#f4f5f8', dark: '#1d2027' };
const surfaces = { light: '#ffffff', dark: '#16181d' };
const behind = { light: '#ffffff', dark: '#0c0d10' };
const corners = {
  square: ['0.1875rem', '0.25rem'],
  soft: ['0.625rem', '1rem'],
  round: ['1.5rem', '1.75rem'],
};
/** How much of the accent: text that stands beside the card stays readable on it. */
const tints = { light: 0.07, dark: 0.09 };
/** A button darker than this can hardly be told from a dark card. */
const SEEN_ON_DARK = 1.5;

export function isPlain({ accent, background, corners }: Look): boolean {
  return accent === null && background === 'plain' && corners === 'soft';
}

/** Undefined where nothing was chosen: the service's own style is enough. */
export function lookStylesPath(applicationId: string, look: Look): string | undefined {
  if (isPlain(look)) return undefined;
  return `/applications/${applicationId}/look-${sha256(lookStyles(look)).slice(0, 12)}.css`;
}

export function lookStyles(look: Look): string {
  return `:root { ${variables(look, 'light')} }
@media screen and (prefers-color-scheme: dark) { :root { ${variables(look, 'dark')} } }
@media (min-width: 30.01rem) { body { ${ground(look, 'light')} background-attachment: fixed; } }
@media screen and (min-width: 30.01rem) and (prefers-color-scheme: dark) { body { ${ground(look, 'dark')} background-attachment: fixed; } }
${shapes(look, '')}${marks(look, '')}`;
}

/** For the preview in company settings, where both looks stand side by side. */
export function previewStyles(look: Look): string {
  return (['light', 'dark'] as const)
    .map(
      (scheme) => `.preview-stage.look-${scheme} { ${variables(look, scheme)} ${ground(look, scheme)} }
${shapes(look, `.preview-stage.look-${scheme} `)}${marks(look, `.preview-stage.look-${scheme} `)}`,
    )
    .join('\n');
}

type Scheme = 'light' | 'dark';

function accentOf({ accent }: Look): string {
  return accent !== null && HEX_COLOUR.test(accent) ? accent : DEFAULT_ACCENT;
}

function variables(look: Look, scheme: Scheme): string {
  if (look.accent === null) return '';
  const accent = accentOf(look);
  const text = readableOn(grounds[scheme], accent);
  const button = readableAccent(accent);
  const isLost = scheme === 'dark' && contrast(button, surfaces.dark) < SEEN_ON_DARK;
  const face = isLost ? '#f0f1f4' : button;
  const values = {
    accent: face,
    'accent-hover': mix(face, '#000000', 0.14),
    'on-accent': isLost ? '#14161b' : '#ffffff',
    'accent-text': text,
    focus: text,
    halo: `${text}33`,
  };
  return Object.entries(values)
    .map(([name, value]) => `--${name}: ${value};`)
    .join(' ');
}

function ground(look: Look, scheme: Scheme): string {
  const accent = accentOf(look);
  const tint = mix(behind[scheme], accent, tints[scheme]);
  switch (look.background) {
    case 'plain':
      return '';
    case 'bright':
      return `background: ${surfaces[scheme]};`;
    case 'tint':
      return `background: ${tint};`;
    case 'gradient':
      return `background: linear-gradient(160deg, ${tint}, ${behind[scheme]} 70%);`;
  }
}

function shapes(look: Look, scope: string): string {
  if (look.corners === 'soft') return '';
  const [small, large] = corners[look.corners];
  const controls = ['.button', '.button:focus-visible', '.input', '.input:focus', '.notice', '.who']
    .map((part) => scope + part)
    .join(', ');
  return `${controls} { border-radius: ${small}; } @media (min-width: 30.01rem) { ${scope}.card { border-radius: ${large}; } }`;
}

/** The letter that stands in for a logo. */
function marks({ accent }: Look, scope: string): string {
  return accent === null ? '' : ` ${scope}.monogram { background: var(--accent); color: var(--on-accent); }`;
}
