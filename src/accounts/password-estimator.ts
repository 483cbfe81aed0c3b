// What judges how guessable a password is, with its word lists. A file of its own because it is loaded late
// (src/accounts/password.ts), and the bundle (scripts/bundle.ts) can hold back only modules of ours.
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { passwordEstimatedCharacters } from '../limits/credentials.ts';

/** The English lists would triple time and memory of loading and quintuple each check, for what guessing limits cover. */
export function createEstimator(): ZxcvbnFactory {
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: passwordEstimatedCharacters });
}
