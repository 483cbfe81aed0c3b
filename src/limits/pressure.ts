// When work that can wait gives way to requests.

/** Of a process's time: above it, what is asked now begins to wait for what could be done later. */
export const pressureHighShare = 0.5;
/** The same while somebody signs in: p99 of an exchange shows whatever else takes a quarter of the process's time. */
export const pressureHighShareBesideSignIns = 0.2;
/** How long a moment is: shorter ones are noise, in longer ones people have waited already. */
export const pressureMomentMilliseconds = 100;
/** A pause of work that gives way, in terms of the time that its last piece took: a quarter of the time is left for it. */
export const pressurePauseFactor = 3;
/** The longest pause of work that gives way; it goes on whatever happens, only more slowly. */
export const pressurePauseMostMilliseconds = 1_000;
