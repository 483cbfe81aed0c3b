// What applications do with tokens beyond using them: they ask what a token is worth (RFC 7662), and give one back
// (RFC 7009).
import type { Act } from './act-parts.ts';
import { introspect, revokeToken } from './token-questions.ts';

/** The latest ones of everybody: an application asks whoever they belong to. */
const REMEMBERED = 4;

const kindOf = (name: string | undefined) => (name === 'refresh' ? 'refresh' : 'access');
const kinds = ['access', 'refresh'];

export const tokenActs: Act[] = [
  {
    name: 'introspect',
    offers: (story) =>
      story.tokens
        .slice(-REMEMBERED)
        .flatMap((_tokens, place) =>
          kinds.flatMap((kind) => ['own', 'own', 'other'].map((by) => ({ tokens: String(place), kind, by }))),
        ),
    async run(story, _browser, { tokens: place = '0', kind, by }) {
      const tokens = story.tokens.slice(-REMEMBERED)[Number(place)];
      if (!tokens) return false;
      await introspect(story, tokens, { kind: kindOf(kind), isOwn: by === 'own' });
      return true;
    },
    tell: ({ tokens, kind, by }) =>
      `lets ${by === 'own' ? 'the application' : 'another application'} ask what the ${kind} token of the ${Number(tokens) + 1}. of the last ${REMEMBERED} sign-ins is worth`,
  },
  {
    name: 'revoke-token',
    offers: (story) =>
      story.tokens
        .slice(-REMEMBERED)
        .flatMap((_tokens, place) =>
          kinds.flatMap((kind) => ['own', 'other'].map((by) => ({ tokens: String(place), kind, by }))),
        ),
    async run(story, _browser, { tokens: place = '0', kind, by }) {
      const tokens = story.tokens.slice(-REMEMBERED)[Number(place)];
      if (!tokens) return false;
      await revokeToken(story, tokens, { kind: kindOf(kind), isOwn: by === 'own' });
      return true;
    },
    tell: ({ tokens, kind, by }) =>
      `lets ${by === 'own' ? 'the application' : 'another application'} give back the ${kind} token of the ${Number(tokens) + 1}. of the last ${REMEMBERED} sign-ins`,
  },
];
