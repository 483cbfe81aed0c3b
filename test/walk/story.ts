// One story: its people with addresses of their own, what was done so far, and the names by which steps speak of things.
import type { ProofKey } from '../crash-harness/proof-key.ts';
import { type Browser, newBrowser, type Person, type PersonName } from './cast.ts';
import type { Identity } from './github.ts';
import { createModel, type Model } from './model.ts';
import type { AppName, Tables, World } from './world.ts';

export type Params = Record<string, string>;
/** One thing that somebody does in one browser; `with` says which tab, address, password or other choice. */
export type Step = { act: string; who: string; with: Params };
/** Two at once: `delay` milliseconds between their starts. */
export type Together = { act: 'together'; who: string; with: Params; both: [Step, Step] };
export type AnyStep = Step | Together;

export type Tokens = {
  browser: string;
  app: AppName;
  email: string;
  access: string;
  refresh: string;
  at: number;
  sub: string;
  /** When the access token was made, in milliseconds. */
  accessAt: number;
  /** Which of the two the application gave back. */
  ended: Set<'access' | 'refresh'>;
  /** That they are bound to. */
  key?: ProofKey;
  /** It may have ended with another token of its grant. */
  isUnsure?: boolean;
};

/** A request that waits at the service, and the codes that came of it. */
export type Pushed = { app: AppName; at: number; uri: string; state: string; codes: Set<string> };

export type Story = {
  number: number;
  world: World;
  model: Model;
  people: Record<PersonName, Person>;
  browsers: Map<string, Browser>;
  attempts: Map<string, { app: AppName; verifier: string }>;
  tokens: Tokens[];
  pushed: Pushed[];
  tables: Tables;
  /** Codes that were read, so that an old mail never answers a new question. */
  readMails: Set<string>;
  /** Names of passwords that were typed anywhere. */
  passwordsTyped: Set<string>;
  /** Browsers whose step is under way. */
  acting: Browser[];
  addressOf(mailbox: string): string;
  identityOf(name: string): Identity;
  passwordOf(name: string): string;
  /** The name of an address of this story. */
  nameOf(email: string): string;
};

export const mailboxes = ['victim', 'victim-2', 'attacker', 'attacker-2', 'bystander'] as const;
export const identityNames = [
  'victim-hub',
  'attacker-hub',
  'attacker-hub-unverified',
  'attacker-hub-false',
  'attacker-hub-spare',
] as const;

export function createStory(world: World, number: number): Story {
  const people: Story['people'] = {
    victim: {
      name: 'victim',
      mailboxes: ['victim', 'victim-2'],
      passwords: ['victim-old', 'victim-new'],
      identities: ['victim-hub'],
    },
    attacker: {
      name: 'attacker',
      mailboxes: ['attacker', 'attacker-2'],
      passwords: ['victim-old', 'attacker-own'],
      identities: ['attacker-hub', 'attacker-hub-unverified', 'attacker-hub-false', 'attacker-hub-spare'],
    },
    bystander: { name: 'bystander', mailboxes: ['bystander'], passwords: ['bystander-own'], identities: [] },
  };
  const addressOf = (mailbox: string) => `${mailbox}.${number}@walk.example`;
  const identities = new Map<string, Identity>(
    identityNames.map((name, place) => [
      name,
      {
        subject: String(number * 10 + place + 1),
        email: addressOf(claimsOf(name)),
        verified: name !== 'attacker-hub-unverified',
        // Who is called something that we cannot call them is asked for a name, which is where a sign-in can be left.
        name: name === 'attacker-hub' || name === 'attacker-hub-spare' ? LONG_NAME : 'Grace Hopper',
      },
    ]),
  );
  return {
    number,
    world,
    model: createModel(),
    people,
    browsers: new Map(
      [
        newBrowser("the victim's laptop", people.victim),
        newBrowser("the victim's phone", people.victim),
        newBrowser("the attacker's laptop", people.attacker),
        newBrowser("the attacker's phone", people.attacker),
        newBrowser("the bystander's laptop", people.bystander),
      ].map((browser) => [browser.name, browser]),
    ),
    attempts: new Map(),
    tokens: [],
    pushed: [],
    tables: { accounts: [], identities: [], passkeys: [] },
    readMails: new Set(),
    passwordsTyped: new Set(),
    acting: [],
    addressOf,
    identityOf(name) {
      const identity = identities.get(name);
      if (!identity) throw new Error(`nobody at GitHub is called ${name}`);
      return identity;
    },
    passwordOf(name) {
      this.passwordsTyped.add(name);
      return `${name} quartz umbrella ${number} lantern`;
    },
    nameOf: (email) => email.split('.')[0] ?? email,
  };
}

const LONG_NAME = 'Grace '.repeat(30);

/** Which address GitHub says that this identity has. */
function claimsOf(name: string): string {
  if (name === 'victim-hub' || name === 'attacker-hub-false') return 'victim';
  return name === 'attacker-hub-spare' ? 'attacker-2' : 'attacker';
}

export function holds(person: Person, story: Story, email: string): boolean {
  return person.mailboxes.includes(story.nameOf(email));
}
