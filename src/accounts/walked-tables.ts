// The tables that identity's proof goes through, each by its primary key (src/database/walk.ts).

export const accounts = { table: 'accounts', key: ['id'] } as const;
export const proofs = { table: 'proofs', key: ['id'] } as const;
export const proofUses = { table: 'proof_uses', key: ['proof_id', 'use'] } as const;
export const sessions = { table: 'sessions', key: ['uid_hash'] } as const;
export const pageSessions = { table: 'page_sessions', key: ['id'] } as const;
export const passkeys = { table: 'passkeys', key: ['id'] } as const;
export const socialIdentities = { table: 'social_identities', key: ['provider', 'subject'] } as const;
export const flows = { table: 'flows', key: ['interaction_hash'] } as const;
export const engineRecords = { table: 'engine_records', key: ['model', 'id_hash'] } as const;
export const signedInBrowsers = { table: 'signed_in_browsers', key: ['session_hash'] } as const;
export const emailChanges = { table: 'email_changes', key: ['id'] } as const;
export const consents = { table: 'consents', key: ['application_id', 'account_id'] } as const;
export const members = { table: 'members', key: ['workspace_id', 'account_id'] } as const;
export const customers = { table: 'customers', key: ['application_id', 'account_id'] } as const;
