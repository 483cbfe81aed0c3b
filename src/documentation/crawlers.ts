// What is told to programs that read the web: which addresses are not for them, and where the documentation is.
import { chapters } from './contents.ts';
import type { BaseUrls } from './shelf.ts';

/** @returns the text for this path; undefined: it is no such path. */
export function readForCrawlers(path: string, baseUrls: BaseUrls): string | undefined {
  if (path === '/robots.txt') return ROBOTS;
  return path === '/llms.txt' ? contentsOf(baseUrls) : undefined;
}

/** An application links to its sign-in; whoever follows every link would begin one each time (RFC 9309). */
const ROBOTS = 'User-agent: *\nDisallow: /oauth/\nDisallow: /social/\n';

/** https://llmstxt.org: a list of what is worth reading. */
function contentsOf({ baseUrl, apiBaseUrl }: BaseUrls): string {
  const lists = chapters.map(({ name, lead, pages }) =>
    [
      `## ${name}`,
      lead,
      pages.map(({ slug, label }) => `- [${label}](${baseUrl}/docs/${slug})`).join('\n'),
    ].join('\n\n'),
  );
  return [
    '# Tollgate',
    '> A hosted OpenID Connect provider that charges per sign-in.',
    `Issuer: ${baseUrl}. The API: [reference](${apiBaseUrl}/docs), [OpenAPI](${apiBaseUrl}/openapi.json).`,
    ...lists,
  ]
    .join('\n\n')
    .concat('\n');
}
