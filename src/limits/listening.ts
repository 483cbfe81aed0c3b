// Numbers of listening from one's own machine: a request that waits for events (src/api/waiting.ts), and the command that
// asks (src/command/listen.ts). The rest of them is in protocol.ts.
import { SECOND } from './units.ts';

/** A request waits no longer than proxies keep a silent connection, so each answer is also the sign that both ends are there. */
export const listeningWaitSeconds = 20;
/** How late an event may be, and how soon a revoked key notices. */
export const listeningLookMilliseconds = 1_000;
/** A charge whose tokens do not leave is taken back within moments; until then nobody is told of it. */
export const listeningSettleSeconds = 1 * SECOND;
/** Waiting at once in one process, of one company: a team, and a connection that nobody noticed breaking. */
export const listenersPerCompany = 10;
/** Of all companies: each looks once a second, which is less than a tenth of one connection for all of them. */
export const listeners = 200;
/** Whoever has more names one; a cursor of this many fits into an address. */
export const listeningApplications = 100;
export const listeningCursorCharacters = 7_000;

/** Events that wait on the developer's machine; the others stay where they are until there is room. */
export const forwardedWaiting = 200;
/** The receiver answered, but not with 2xx: after these the event is given up. */
export const forwardRetrySeconds = [1, 3, 10, 30];
/** Nobody answered at all, as while a server restarts: tried for as long as it takes. */
export const forwardUnreachableSeconds = [1, 2, 5, 10];
/** Between attempts to reach the service, each with up to as much again. */
export const listenRetrySeconds = [1, 2, 5, 10, 30];
/** On top of what a request may wait. */
export const listenAnswerMilliseconds = 10_000;
/** The largest page: a hundred events of some hundred bytes each, with room to grow. */
export const listenAnswerBytes = 1024 * 1024;
