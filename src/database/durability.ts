// Which commits wait until the disk has them. All do, as PostgreSQL does it, but for bookkeeping that is made again when a
// crash of the database loses its last moment. Money, proofs and what somebody was told always wait.
import { sql } from 'drizzle-orm';

/**
 * For the select list of a statement: its transaction's commit returns before it is on disk, and whoever commits a charge
 * meanwhile does not wait for that write first. A crash of the server (not of this service) may lose what was committed
 * like this, for three times `wal_writer_delay`, 600 ms; never a part of it, and nothing else.
 */
export const withoutWaitingForDisk = sql`set_config('synchronous_commit', 'off', true)`;
