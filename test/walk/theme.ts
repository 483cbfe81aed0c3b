// What a story is about: how likely each act is, in whose browsers. A theme only loads the dice; which steps follow one
// another is chance, and each step of every theme may come in any story.

export type Theme = {
  name: string;
  /** Browsers that take part, the more often the more likely. */
  cast: Record<string, number>;
  /** Weights of acts beyond what the page in front of a person suggests. */
  acts: Record<string, number>;
  /** How likely somebody does what the page suggests. */
  sensible: number;
  /** How likely two steps happen at once. */
  together: number;
  /** How the victim gets an account in the beginning; none: there is none yet. */
  opening: 'password' | 'code' | 'false-word' | 'none';
  /** Browsers in which the victim signs in (or the attacker, with the old password) before it begins. */
  signedIn: string[];
  length: number;
  /** Where there is a choice, only among these. */
  prefer?: Preference;
  /** The same in one browser. */
  preferIn?: Record<string, Preference>;
  /** Other weights for what the first page suggests. */
  suggests?: Record<string, number>;
};

type Preference = Record<string, string[]>;

export const laptop = "the victim's laptop";
export const phone = "the victim's phone";
export const thief = "the attacker's laptop";
export const thiefsPhone = "the attacker's phone";
export const bystander = "the bystander's laptop";

export const common = {
  begin: 3,
  wait: 1,
  exchange: 6,
  'type-device-code': 0.5,
  'poll-device': 3,
  push: 0.7,
  'bring-pushed': 1.5,
  introspect: 0.7,
  'revoke-token': 0.15,
  'follow-parked': 2,
  refresh: 0.5,
  userinfo: 0.5,
  'open-account': 1,
  replay: 0.3,
};
