// Two layouts: a card for one thing to do, and a wide page for things to read. Each has one main landmark and
// one h1.
import type { ComponentChildren } from 'preact';
import { Document } from './document.tsx';
import type { ScriptName } from './scripts.ts';
import { Shape, type ShapeName } from './shape.tsx';

export type Brand = {
  name: string;
  /** Path on our own origin; without one the first letter stands in. */
  logoPath?: string | undefined;
  /** The same in the dark. */
  darkLogoPath?: string | undefined;
  /** A word about how it stands, for example that it is being tested. */
  state?: string | undefined;
};

export type CardPageProps = {
  language: string;
  title: string;
  heading: string;
  lead?: ComponentChildren;
  brand?: Brand | undefined;
  /** Instead of a brand, where no application is known: how it went. */
  symbol?: ShapeName | undefined;
  children?: ComponentChildren;
  /** Below a line inside the card: the way out. */
  foot?: ComponentChildren;
  /** Outside the card, for example the language switch. */
  below?: ComponentChildren;
  scripts?: ScriptName[];
  /** The style sheet of the application's look. */
  styles?: string | undefined;
};

export function CardPage(props: CardPageProps) {
  const {
    language,
    title,
    heading,
    lead,
    brand,
    symbol,
    children,
    foot,
    below,
    scripts = [],
    styles,
  } = props;
  return (
    <Document language={language} title={title} scripts={scripts} styles={styles}>
      <div class="stage">
        <main class="card">
          <div class="card-head">
            {brand && <Mark {...brand} />}
            {brand?.state && <p class="badge badge-warning">{brand.state}</p>}
            {symbol && <Shape name={symbol} class={`symbol symbol-${symbol}`} />}
            <h1>{heading}</h1>
            {lead && <p class="lead">{lead}</p>}
          </div>
          {children}
          {foot && <div class="card-foot">{foot}</div>}
        </main>
        {below}
      </div>
    </Document>
  );
}

export type WidePageProps = {
  language: string;
  title: string;
  heading: string;
  lead?: ComponentChildren;
  /** The way back, above the heading. */
  above?: ComponentChildren;
  /** The page works without them. */
  scripts?: ScriptName[];
  children: ComponentChildren;
};

export function WidePage({ language, title, heading, lead, above, scripts = [], children }: WidePageProps) {
  return (
    <Document language={language} title={title} scripts={scripts}>
      <main class="wide">
        <div class="wide-head">
          {above}
          <h1>{heading}</h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {children}
      </main>
    </Document>
  );
}

const MONOGRAM_COLOURS = 6;

type MarkProps = Omit<Brand, 'state'> & { small?: boolean };

/** The name stands in text beside it, so the picture itself says nothing to a screen reader. */
export function Mark({ name, logoPath, darkLogoPath, small }: MarkProps) {
  const look = small ? 'mark mark-small' : 'mark';
  if (logoPath) {
    const picture = <img class={look} src={logoPath} width="56" height="56" alt="" />;
    if (!darkLogoPath) return picture;
    return (
      <picture>
        <source media="screen and (prefers-color-scheme: dark)" srcset={darkLogoPath} />
        {picture}
      </picture>
    );
  }
  const [initial = '·'] = name.trim().toLocaleUpperCase();
  const colour = [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % MONOGRAM_COLOURS;
  return (
    <div class={`${look} monogram monogram-${colour}`} aria-hidden="true">
      {initial}
    </div>
  );
}
