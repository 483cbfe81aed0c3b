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

const laptop = "the victim's laptop";
const phone = "the victim's phone";
const thief = "the attacker's laptop";
const thiefsPhone = "the attacker's phone";
const bystander = "the bystander's laptop";

const common = {
  begin: 3,
  wait: 1,
  exchange: 6,
  'follow-parked': 2,
  refresh: 0.5,
  userinfo: 0.5,
  'open-account': 1,
  replay: 0.3,
};

export const themes: Theme[] = [
  {
    name: 'an intruder with an old password, and an owner who throws everybody out',
    cast: { [laptop]: 3, [thief]: 3, [thiefsPhone]: 1 },
    acts: {
      ...common,
      password: 5,
      recover: 3,
      'end-others': 4,
      'set-password': 2,
      'hold-next': 0.3,
      release: 2,
    },
    sensible: 0.6,
    together: 0.08,
    opening: 'password',
    signedIn: [laptop],
    length: 26,
  },
  {
    name: 'several identities in one sign-in',
    cast: { [thief]: 5, [thiefsPhone]: 5 },
    acts: {
      begin: 0.4,
      'to-github': 3,
      welcome: 2,
      'delete-account': 6,
      'ask-code': 0.3,
      exchange: 0.5,
      'link-github': 0.3,
    },
    sensible: 0.65,
    together: 0.01,
    opening: 'none',
    signedIn: [],
    length: 34,
    prefer: {
      tab: ['first', 'third'],
      app: ['shop'],
      identity: ['attacker-hub', 'attacker-hub-unverified'],
      email: ['victim'],
      park: [],
    },
    preferIn: { [thiefsPhone]: { email: ['attacker-2'], identity: ['attacker-hub-unverified'] } },
    suggests: { 'ask-code': 0.3, password: 0, register: 0.1, 'to-github': 2 },
  },
  {
    name: 'stolen cookies',
    cast: { [laptop]: 2, [phone]: 1, [thief]: 5 },
    acts: {
      ...common,
      begin: 4,
      wait: 4,
      'steal-cookies': 5,
      'add-passkey': 4,
      'end-others': 2,
      'use-passkey': 1,
      'new-workspace': 1,
      'hold-next': 1,
      release: 2,
      'sign-out': 0.4,
    },
    sensible: 0.4,
    together: 0.05,
    opening: 'code',
    signedIn: [phone],
    length: 24,
    prefer: { tab: ['first', 'third'], time: ['twenty minutes', 'two seconds'] },
  },
  {
    name: 'two at once',
    cast: { [laptop]: 4, [thief]: 4 },
    acts: {
      ...common,
      password: 4,
      'set-password': 5,
      recover: 3,
      'new-password': 3,
      'link-github': 2,
      'from-github': 3,
      'delete-account': 1,
      'end-others': 1,
    },
    sensible: 0.6,
    together: 0.35,
    opening: 'password',
    signedIn: [laptop, thief],
    length: 20,
    prefer: { tab: ['first', 'third'], email: ['victim'], wish: ['prompt=login'], app: ['shop'] },
  },
  {
    name: 'an account that a provider made, and its owner',
    cast: { [laptop]: 4, [thief]: 5 },
    acts: {
      ...common,
      'link-github': 6,
      'unlink-github': 3,
      'from-github': 4,
      'ask-code': 3,
      'type-code': 3,
      'add-passkey': 1,
      'delete-account': 0.5,
      recover: 1,
    },
    sensible: 0.6,
    together: 0.35,
    opening: 'false-word',
    signedIn: [],
    length: 20,
    prefer: { tab: ['first', 'third'], email: ['victim'], app: ['shop'], wish: ['prompt=login'], park: [] },
  },
  {
    name: 'a computer that several people use',
    cast: { [laptop]: 5, [thief]: 0.5 },
    acts: {
      ...common,
      'sign-out': 3,
      'sign-out-own': 3,
      'hand-over': 3,
      'add-passkey': 1,
      'new-workspace': 2,
    },
    sensible: 0.5,
    together: 0.02,
    opening: 'code',
    signedIn: [laptop],
    length: 16,
  },
  {
    name: "the owner's codes",
    cast: { [laptop]: 5, [thief]: 2 },
    acts: {
      begin: 4,
      'set-password': 2,
      'end-others': 3,
      pester: 5,
      'ask-code': 2,
      password: 1,
      recover: 1,
      wait: 0.5,
    },
    sensible: 0.6,
    together: 0.01,
    opening: 'password',
    signedIn: [laptop, thief],
    length: 18,
    prefer: {
      tab: ['first', 'second', 'third'],
      app: ['shop'],
      email: ['victim'],
      park: [],
      wish: ['prompt=login'],
    },
  },
  {
    name: 'old proofs of one mailbox',
    cast: { [laptop]: 4, [phone]: 4 },
    acts: {
      ...common,
      'ask-code': 4,
      register: 4,
      welcome: 3,
      recover: 1,
      'delete-account': 1,
      'change-address': 1,
      'take-address-back': 0.5,
    },
    sensible: 0.6,
    together: 0.05,
    opening: 'none',
    signedIn: [],
    length: 22,
  },
  {
    name: 'anything',
    cast: { [laptop]: 3, [phone]: 2, [thief]: 4, [thiefsPhone]: 2, [bystander]: 0.5 },
    acts: {
      ...common,
      password: 2,
      recover: 1,
      'new-password': 1,
      'end-others': 1,
      'set-password': 1,
      'remove-password': 0.3,
      'to-github': 1,
      'from-github': 3,
      'social-proof': 1,
      welcome: 1,
      register: 1,
      'ask-code': 1,
      'type-code': 1,
      'link-github': 1,
      'unlink-github': 1,
      'delete-account': 0.4,
      'add-passkey': 1,
      'use-passkey': 1,
      'change-address': 0.5,
      'take-address-back': 0.5,
      'sign-out': 0.7,
      'sign-out-own': 0.7,
      'steal-cookies': 1,
      'hand-over': 0.5,
      'hold-next': 0.5,
      release: 1,
      pester: 0.2,
      'new-workspace': 0.5,
      consent: 1,
    },
    sensible: 0.5,
    together: 0.08,
    opening: 'password',
    signedIn: [laptop],
    length: 30,
  },
];
