// Who walks: people with what they know and hold, their browsers with several tabs, and what each browser left behind.
// Names are the same in every run of a story; addresses and subjects are new each time, so that stories never meet.
import type { SoftwareKey } from './authenticator.ts';
import type { Identity } from './github.ts';
import { copyJar, type Jar } from './jar.ts';
import type { Page } from './surf.ts';
import type { Answer, Sent } from './wire.ts';
import type { AppName } from './world.ts';

export type PersonName = 'victim' | 'attacker' | 'bystander';

export type Person = {
  name: PersonName;
  /** Names of mailboxes that this person reads. */
  mailboxes: string[];
  /** Names of passwords that this person knows. */
  passwords: string[];
  /** Names of identities at GitHub that this person can be. */
  identities: string[];
};

/** How an address was proven, at which moment of the story, in which sign-in. */
export type Proof = {
  email: string;
  amr: 'otp' | 'pwd' | 'fed' | 'pop';
  /** Tick of the request that carried the secret. */
  at: number;
  /** The latest moment at which the service can have read it. */
  milliseconds: number;
  uid: string;
  /** Tick at which the sign-in that it was given in went on. */
  resumedAt?: number;
  /** Of the new password that a recovery set, which is never an old one. */
  isOfReset?: true;
};

export type Attempt = { app: AppName; verifier: string; state: string };

export type Tab = {
  name: string;
  page?: Page | undefined;
  uid?: string | undefined;
  /** The address that this tab's sign-in asked a code for, and the code if its reader has it. */
  asked?: string | undefined;
  code?: string | undefined;
  askedAt?: number;
  /** The code that was asked for is for a new password. */
  recovers?: boolean;
  /** What was typed on the registration page. */
  registers?: { email: string; password: string } | undefined;
  /** A redirect that was not followed. */
  parked?: string | undefined;
  /** Where our service sent the browser: GitHub. */
  away?: string | undefined;
  /** Back at the application, with a code. */
  callback?: string | undefined;
  /** Of the device whose code was typed here. */
  deviceCode?: string | undefined;
};

/** A form that was sent once, and what a success of it means. */
export type Post = {
  what: string;
  sent: Sent;
  tab: Tab;
  park: boolean;
  /** Just before its body goes: what it says may have become true, or false, since it was filled in. */
  goes?: (() => void) | undefined;
  /** Was it accepted? Asked of the answer itself, before any redirect is followed. */
  judge?: ((answer: Answer, at: number) => void) | undefined;
  after: (landed: Landed, at: number) => void | Promise<void>;
};
export type Landed = { page?: Page; leftTo?: string; parked?: string };

export type Browser = {
  name: string;
  /** The browser whose cookies these were in the beginning. */
  root: string;
  operator: Person;
  jar: Jar;
  tabs: Tab[];
  posts: Post[];
  proofs: Proof[];
  /** With whom it shares all cookies of the sign-ins that were under way when they were copied. */
  twins: { browser: Browser; uids: string[] }[];
  /** Identities that came back from GitHub in this browser, by sign-in. */
  identities: { uid: string; identity: Identity; at: number }[];
  /** Tick of the last sign-out that was confirmed here. */
  signedOutAt: number;
  /** The next form is held back after its headers. */
  holdsNext: boolean;
  held: { what: string; release(): Promise<void> }[];
};

export type HeldKey = SoftwareKey & { email: string; browser: string; dead: boolean };

export function newBrowser(name: string, operator: Person): Browser {
  return {
    name,
    root: name,
    operator,
    jar: new Map(),
    tabs: ['first', 'second', 'third'].map((tab) => ({ name: tab })),
    posts: [],
    proofs: [],
    twins: [],
    identities: [],
    signedOutAt: -1,
    holdsNext: false,
    held: [],
  };
}

/** A thief's browser with another one's cookies: what was proven there is what these cookies stand for. */
export function stealJar(thief: Browser, from: Browser): void {
  thief.jar = copyJar(from.jar);
  thief.root = from.root;
  thief.proofs = from.proofs.map((proof) => ({ ...proof }));
  thief.identities = [...from.identities];
  const uids = from.tabs.flatMap(({ uid }) => uid ?? []);
  thief.twins.push({ browser: from, uids });
  from.twins.push({ browser: thief, uids });
  thief.signedOutAt = from.signedOutAt;
  for (const tab of thief.tabs) {
    const theirs = from.tabs.find(({ name }) => name === tab.name);
    Object.assign(tab, {
      page: undefined,
      parked: undefined,
      callback: undefined,
      away: undefined,
      code: undefined,
    });
    tab.uid = theirs?.uid;
    tab.asked = theirs?.asked;
  }
}

export function tabOf(browser: Browser, name: string | undefined): Tab {
  const tab = browser.tabs.find((each) => each.name === name) ?? browser.tabs[0];
  if (!tab) throw new Error('a browser has tabs');
  return tab;
}
