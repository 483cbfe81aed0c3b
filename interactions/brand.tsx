// What a hosted page shows of the application that it is for: name and logo, its own style sheet, and its links.
import type { ApplicationWithAppearance } from '../src/applications/appearance.ts';
import type { Brand } from '../src/page/layout.tsx';
import { lookStylesPath } from '../src/page/look-styles.ts';
import type { Language } from './languages.ts';
import { requestTexts } from './texts/request.ts';
import { testModeTexts } from './texts/test-mode.ts';

export function brandOf(
  application: ApplicationWithAppearance,
  language: Language,
): {
  brand: Brand;
  styles: string | undefined;
} {
  const { id, name, logo, appearance, isTest } = application;
  const state = isTest ? testModeTexts[language].mark : undefined;
  const logoPath = logo ? `/applications/${id}/logo` : undefined;
  const darkLogoPath = appearance.hasDarkLogo ? `/applications/${id}/logo-dark` : undefined;
  return {
    brand: { name, logoPath: logoPath ?? darkLogoPath, darkLogoPath, state },
    styles: lookStylesPath(id, appearance),
  };
}

/** Terms, privacy and support, as far as the application has named them. */
export function linksOf(
  language: Language,
  { appearance }: Pick<ApplicationWithAppearance, 'appearance'>,
): { label: string; url: string }[] {
  const texts = requestTexts[language];
  const { termsUrl, privacyUrl, supportUrl } = appearance;
  const links = [
    { label: texts.terms, url: termsUrl },
    { label: texts.privacy, url: privacyUrl },
    { label: texts.support, url: supportUrl },
  ];
  return links.flatMap(({ label, url }) => (url === null ? [] : [{ label, url }]));
}

/** In a page of their own: whoever reads them has not left the sign-in. */
export function BrandLinks({
  language,
  application,
}: {
  language: Language;
  application: Pick<ApplicationWithAppearance, 'appearance'>;
}) {
  const links = linksOf(language, application);
  if (links.length === 0) return null;
  return (
    <ul class="brand-links">
      {links.map(({ label, url }) => (
        <li key={url}>
          <a
            href={url}
            {...(url.startsWith('mailto:') ? {} : { target: '_blank', rel: 'noopener noreferrer' })}
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}
