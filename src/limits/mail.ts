// One conversation with an SMTP server, in milliseconds.

export const smtpConnectMilliseconds = 10_000;
export const smtpGreetingMilliseconds = 10_000;
/** Silence in the middle of a conversation. */
export const smtpSocketMilliseconds = 30_000;
/** The whole conversation: ends before the queue would hand the same mail to another worker. */
export const smtpTotalMilliseconds = 75_000;
