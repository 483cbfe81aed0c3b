// Lanes for what pages, downloads and the API read. They have connections of their own, each company has a place or two
// on them and takes turns with the others, and what it asks for beyond that waits in its own short line: whoever reads a
// lot makes nobody wait but themselves, and nobody's sign-in (docs/decisions/0804).

import { serviceUnavailable, TollgateError } from '../errors.ts';
import type { ReadingLimits } from '../limits/reads.ts';
import type { Database } from './connection.ts';

export type Read = <T>(work: (db: Database) => Promise<T>) => Promise<T>;

export type Lane = {
  /** Short work: the statement time-out is its limit. @throws TollgateError too_many_requests, service_unavailable */
  read: Read;
  /** A place for a file that is read piece by piece, until `end`. @throws TollgateError too_many_requests */
  openDownload(): { read: Read; end(): void };
};

/** @returns the lane of a company. */
export type ReadingLanes = (company: string) => Lane;

type Waiting = { start(): void; timer: NodeJS.Timeout };
type Company = { underWay: number; downloads: number; waiting: Waiting[] };

export function createReadingLanes(
  db: Database,
  limits: ReadingLimits,
  /** Between two pieces of a file, with the time that the one before took. */
  giveWay: (milliseconds: number) => Promise<void> = async () => undefined,
): ReadingLanes {
  /** In the order in which they get the next free place. */
  const companies = new Map<string, Company>();
  let underWay = 0;

  function open(name: string): Company {
    const company = companies.get(name) ?? { underWay: 0, downloads: 0, waiting: [] };
    companies.set(name, company);
    return company;
  }

  function forgetIdle(name: string, company: Company): void {
    if (company.underWay + company.downloads + company.waiting.length === 0) companies.delete(name);
  }

  /** One piece of work for each free place; the company that got one is the last to get the next. */
  function fillPlaces(): void {
    for (const [name, company] of [...companies]) {
      if (underWay >= limits.places) return;
      if (company.underWay >= limits.placesPerCompany) continue;
      const next = company.waiting.shift();
      if (!next) continue;
      companies.delete(name);
      companies.set(name, company);
      company.underWay += 1;
      underWay += 1;
      clearTimeout(next.timer);
      next.start();
    }
  }

  function leave(name: string, company: Company): void {
    underWay -= 1;
    company.underWay -= 1;
    fillPlaces();
    forgetIdle(name, company);
  }

  function enter(name: string, company: Company, waitMilliseconds: number): Promise<void> {
    if (company.waiting.length >= limits.waitingPerCompany) throw tooMuchAtOnce();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      company.waiting.splice(company.waiting.indexOf(waiting), 1);
      reject(
        company.underWay > 0 ? tooMuchAtOnce() : serviceUnavailable(new Error('no reading place is free')),
      );
      forgetIdle(name, company);
    };
    const waiting = { start: resolve, timer: setTimeout(giveUp, waitMilliseconds) };
    company.waiting.push(waiting);
    fillPlaces();
    return promise;
  }

  const readOf = (name: string, waitMilliseconds: number): Read =>
    async function read(work) {
      const company = open(name);
      await enter(name, company, waitMilliseconds);
      try {
        return await work(db);
      } finally {
        leave(name, company);
      }
    };

  return (name) => ({
    read: readOf(name, limits.waitMilliseconds),
    openDownload() {
      const company = open(name);
      if (company.downloads >= limits.downloadsPerCompany) throw tooMuchAtOnce();
      company.downloads += 1;
      let isOpen = true;
      return {
        read: givingWay(readOf(name, limits.downloadWaitMilliseconds), giveWay),
        end() {
          if (!isOpen) return;
          isOpen = false;
          company.downloads -= 1;
          forgetIdle(name, company);
        },
      };
    },
  });
}

/** What is done with a piece counts as its time as well. */
function givingWay(read: Read, giveWay: (milliseconds: number) => Promise<void>): Read {
  let startedAt: number | undefined;
  return async (work) => {
    if (startedAt !== undefined) await giveWay(performance.now() - startedAt);
    startedAt = performance.now();
    return read(work);
  };
}

const RETRY_AFTER_SECONDS = 2;

function tooMuchAtOnce(): TollgateError {
  const description = 'Your company reads as much as it may at one time. Try again in a moment.';
  return new TollgateError('too_many_requests', description, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
