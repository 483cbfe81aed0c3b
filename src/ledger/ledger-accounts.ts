// The accounts that transfers move money between. An application's balance is what it may still spend; usage is
// what it has spent; funding is where top-ups come from. A transfer takes from `debit` and adds to `credit`.

export const applicationAccount = (applicationId: string) => `application:${applicationId}`;
export const usageAccount = (applicationId: string) => `usage:${applicationId}`;
export const fundingAccount = (applicationId: string) => `funding:${applicationId}`;
