// The buttons that lead to social providers: one for each that is switched on, in the colours and with the mark that
// the provider's branding rules ask for. Links, not forms: the policy's form-action would hold against every redirect
// that the provider makes on its own site.
import type { SocialProvider } from '../src/social/provider.ts';
import type { Dependencies, Visit } from './visit.ts';

/** Those that can do what this sign-in asks for. */
export function offeredProviders(
  { social }: Pick<Dependencies, 'social'>,
  { interaction }: Visit,
): Dependencies['social'] {
  return social.filter(({ asksThePerson }) => asksThePerson || !interaction.asksAgain);
}

export function SocialButtons({ visit, providers }: { visit: Visit; providers: Dependencies['social'] }) {
  return (
    <div class="stack-tight">
      {providers.map((provider) => (
        <a
          key={provider.id}
          class={`button button-secondary button-social button-${provider.id}`}
          href={`${visit.path('social')}?provider=${provider.id}`}
          rel="nofollow"
        >
          <Logo provider={provider} />
          {visit.texts.social.continueWith(provider.name)}
        </a>
      ))}
    </div>
  );
}

function Logo({ provider }: { provider: Pick<SocialProvider, 'id'> }) {
  const mark = marks[provider.id];
  if (!mark) return null;
  return (
    <svg class="social-mark" viewBox={mark.viewBox} aria-hidden="true">
      {mark.paths.map(([fill, d]) => (
        <path key={d} fill={fill} d={d} />
      ))}
    </svg>
  );
}

type Mark = { viewBox: string; paths: [fill: string, d: string][] };

/** The providers' own marks, as their rules show them. Google's must keep its four colours. */
const marks: Record<string, Mark> = {
  google: {
    viewBox: '0 0 18 18',
    paths: [
      [
        '#4285f4',
        'M17.64 9.2c0-.637-.057-1.251-.164-1.84H9v3.481h4.844a4.14 4.14 0 0 1-1.796 2.716v2.259h2.908c1.702-1.567 2.684-3.875 2.684-6.615z',
      ],
      [
        '#34a853',
        'M9 18c2.43 0 4.467-.806 5.956-2.18l-2.908-2.259c-.806.54-1.837.86-3.048.86-2.344 0-4.328-1.584-5.036-3.711H.957v2.332A9 9 0 0 0 9 18z',
      ],
      [
        '#fbbc05',
        'M3.964 10.71A5.41 5.41 0 0 1 3.682 9c0-.593.102-1.17.282-1.71V4.958H.957A9 9 0 0 0 0 9c0 1.452.348 2.827.957 4.042l3.007-2.332z',
      ],
      [
        '#ea4335',
        'M9 3.58c1.321 0 2.508.454 3.44 1.345l2.582-2.58C13.463.891 11.426 0 9 0A9 9 0 0 0 .957 4.958L3.964 7.29C4.672 5.163 6.656 3.58 9 3.58z',
      ],
    ],
  },
  apple: {
    viewBox: '0 0 24 24',
    paths: [
      [
        'currentColor',
        'M12.152 6.896c-.948 0-2.415-1.078-3.96-1.04-2.04.027-3.91 1.183-4.961 3.014-2.117 3.675-.546 9.103 1.519 12.09 1.013 1.454 2.208 3.09 3.792 3.039 1.52-.065 2.09-.987 3.935-.987 1.831 0 2.35.987 3.96.948 1.637-.026 2.676-1.48 3.676-2.948 1.156-1.688 1.636-3.325 1.662-3.415-.039-.013-3.182-1.221-3.22-4.857-.026-3.04 2.48-4.494 2.597-4.559-1.429-2.09-3.623-2.324-4.39-2.376-2-.156-3.675 1.09-4.61 1.09zM15.53 3.83c.843-1.012 1.4-2.427 1.245-3.83-1.207.052-2.662.805-3.532 1.818-.78.896-1.454 2.338-1.273 3.714 1.338.104 2.715-.688 3.559-1.701',
      ],
    ],
  },
  github: {
    viewBox: '0 0 24 24',
    paths: [
      [
        'currentColor',
        'M12 .297c-6.63 0-12 5.373-12 12 0 5.303 3.438 9.8 8.205 11.385.6.113.82-.258.82-.577 0-.285-.01-1.04-.015-2.04-3.338.724-4.042-1.61-4.042-1.61C4.422 18.07 3.633 17.7 3.633 17.7c-1.087-.744.084-.729.084-.729 1.205.084 1.838 1.236 1.838 1.236 1.07 1.835 2.809 1.305 3.495.998.108-.776.417-1.305.76-1.605-2.665-.3-5.466-1.332-5.466-5.93 0-1.31.465-2.38 1.235-3.22-.135-.303-.54-1.523.105-3.176 0 0 1.005-.322 3.3 1.23.96-.267 1.98-.399 3-.405 1.02.006 2.04.138 3 .405 2.28-1.552 3.285-1.23 3.285-1.23.645 1.653.24 2.873.12 3.176.765.84 1.23 1.91 1.23 3.22 0 4.61-2.805 5.625-5.475 5.92.42.36.81 1.096.81 2.22 0 1.606-.015 2.896-.015 3.286 0 .315.21.69.825.57C20.565 22.092 24 17.592 24 12.297c0-6.627-5.373-12-12-12',
      ],
    ],
  },
};
