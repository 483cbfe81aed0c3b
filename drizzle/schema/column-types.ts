// The columns that drizzle has no word for, or that all tables are to have alike.
import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });
export const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });
/** Millionths of the workspace's currency, so that a price of 0.02 is exact: 20_000n. */
export const microUnits = (name: string) => bigint(name, { mode: 'bigint' });
