// What is wrong with each address that a company typed for its application, one sentence for each, so
// that a page can show it beside the one that it is about. The rules themselves are in redirect-uri.ts.

import { originsPerApplication, redirectUrisPerApplication } from '../limits/applications.ts';
import { originProblem, redirectUriProblem } from './redirect-uri.ts';

export type UriKind = 'callback' | 'post-logout' | 'origin';

const problemOf = { callback: redirectUriProblem, 'post-logout': redirectUriProblem, origin: originProblem };
const most = {
  callback: redirectUrisPerApplication,
  'post-logout': redirectUrisPerApplication,
  origin: originsPerApplication,
};

/** @returns for each address, in its order, a whole sentence or undefined. */
export function uriProblems(kind: UriKind, uris: string[]): (string | undefined)[] {
  return uris.map((uri, index) => {
    if (index >= most[kind]) return `This is one more than the ${most[kind]} that an application may have.`;
    const problem = problemOf[kind](uri);
    if (problem) return `This address ${problem}.`;
    return uris.indexOf(uri) < index ? 'This address is given twice.' : undefined;
  });
}
