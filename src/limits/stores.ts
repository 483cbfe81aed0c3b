// Connections to PostgreSQL and Redis: how many, how long each may take, and how many look-ups share a statement.

export const postgresConnectMilliseconds = 3_000;
export const postgresStatementMilliseconds = 5_000;
export const postgresLockMilliseconds = 2_000;
/** Longer than any statement may take: a connection in use that is silent for this long has lost its server. */
export const postgresSilenceMilliseconds = postgresStatementMilliseconds + 2_000;
/** Of one process; its charges, look-ups and job queue have their own. */
export const postgresConnections = 10;
/** The service has fewer; a plan takes some 20 KiB of the server's memory, on each connection that used it. */
export const postgresPreparedStatements = 300;
/** More than the widest row that is written alone. */
export const postgresPreparedParameters = 24;
export const transactionAttempts = 3;
/** A service that is started before its database waits this long; then it ends, and who supervises it decides. */
export const databaseWaitMilliseconds = 60_000;
export const databaseWaitPollMilliseconds = 500;
/** pg-boss's own maintenance may take a few seconds on a long queue. */
export const jobQueryMilliseconds = 15_000;
/** Every kind of look-up at once. A sign-in asks for five at its door: while three sign-ins' are under way, others gather. */
export const lookUpBatches = { size: 32, lanes: 3, few: 15 } as const;
export const postgresLookUpConnections = lookUpBatches.lanes;
/** Look-ups of one kind: as many keys as one statement asks for, and as many statements beside each other. */
export const readBatches = { size: 64, lanes: 3, few: 3 } as const;
/** Grants that are ended together: a code that is replayed two hundred times at once is one deletion, not six hundred. */
export const revocationBatches = { size: 64, lanes: 1 } as const;
export const redisCommandMilliseconds = 500;
export const redisConnectMilliseconds = 2_000;
/** The first sign-in after Redis is back must succeed within two seconds. */
export const redisReconnectMilliseconds = 500;
/** Commands under way and not a byte: the connection is dead and is opened anew, and limits are counted here. */
export const redisSilenceMilliseconds = 2_000;
