// Operations that only read: what an application has, what it used, and whose customers it knows.
import { z } from 'zod';
import { parseEmailAddress } from '../accounts/email-address.ts';
import { listCustomers } from '../applications/customer-list.ts';
import { readBalance } from '../ledger/balance.ts';
import { startOfDay, usagePerDay } from '../ledger/usage-days.ts';
import { listMaximum } from '../limits/requests.ts';
import { usageCommandDays } from '../limits/usage.ts';
import { formatAmount } from '../money.ts';
import { chooseApplication, chooseKeptApplication, type Operation, operation } from './operation.ts';

export const figureOperations: Record<string, Operation> = {
  balance: operation(z.strictObject({ application: z.string() }), async ({ db }, input) => {
    const { id, name } = await chooseKeptApplication(db, input.application);
    const { amount, currency } = await readBalance(db, id);
    return { applicationId: id, name, balance: formatAmount(amount), currency };
  }),

  usage: operation(
    z.strictObject({
      application: z.string(),
      days: z.coerce.number().int().min(1).max(usageCommandDays).default(7),
    }),
    async ({ db, clock }, { application, days }) => {
      const { id } = await chooseKeptApplication(db, application);
      const from = startOfDay(clock(), days - 1);
      const data = (await usagePerDay(db, { applicationIds: [id], from, days })).map((day) => ({
        day: day.day,
        registrations: day.registrations,
        signIns: day.signIns,
        cost: formatAmount(day.cost),
      }));
      return { data };
    },
  ),

  'customer list': operation(
    z.strictObject({
      application: z.string(),
      email: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(listMaximum).default(20),
    }),
    async ({ db }, { application, email, limit }) => {
      const { id: applicationId } = await chooseApplication(db, application);
      // What is no address is nobody's.
      const filters = email === undefined ? {} : { email: parseEmailAddress(email) ?? email };
      const { rows, hasMore } = await listCustomers(db, { applicationId, filters, limit });
      const data = rows.map((row) => ({
        sub: row.sub,
        email: row.email,
        name: row.name,
        registeredAt: row.registeredAt.toISOString(),
        lastSignInAt: row.lastSignInAt.toISOString(),
        signIns: row.signInCount,
      }));
      return { data, hasMore };
    },
  ),
};
