// Numbers of PostgreSQL's advisory locks, each in one place: who takes another one's number waits for strangers, or keeps
// them out. No other program of this database uses any of them.

export const advisoryLocks = {
  migration: 7_235_198_110,
  signingKeys: 7_235_198_111,
  proofOfLedger: 7_235_198_112,
  proofOfAccounts: 7_235_198_113,
  /** Turns of deliveries, and of logout notices: each held for the few statements of one turn. */
  deliveryTurn: 7_235_198_114,
  logoutTurn: 7_235_198_115,
} as const;
