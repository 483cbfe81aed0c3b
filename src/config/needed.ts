// What a setting needs beside it. All of it is said at once, each with what to put there: whoever sets up a service should not
// learn of it one start after the other.
import { isLoopbackHost } from '../loopback.ts';

type Settings = {
  DATABASE_URL?: string | undefined;
  SMTP_URL?: string | undefined;
  TOLLGATE_SECRET?: string | undefined;
};

const MAIL_EXAMPLE = 'for example SMTP_URL=smtps://user:password@mail.example.com';

/** One sentence for each variable that is missing or cannot be beside the others. */
export function problemsBetween(
  settings: Settings,
  { baseUrl, host }: { baseUrl: URL; host: string },
): string[] {
  const isLoopback = isLoopbackHost(baseUrl.hostname);
  const problems: string[] = [];
  if (baseUrl.protocol === 'http:' && !isLoopback)
    problems.push(
      'BASE_URL must start with https:// unless it is a loopback address, because passwords and tokens are sent to it.',
    );
  if (!settings.SMTP_URL && !isLoopback)
    problems.push(
      `SMTP_URL is required unless BASE_URL is a loopback address, because sign-in codes are sent by email; ${MAIL_EXAMPLE}.`,
    );
  else if (!settings.SMTP_URL && !isLoopbackHost(host))
    problems.push(
      `SMTP_URL is required unless HOST is a loopback address, because the development inbox shows sign-in codes and must stay on this machine; ${MAIL_EXAMPLE}.`,
    );
  if (settings.DATABASE_URL && !settings.TOLLGATE_SECRET && !isLoopback)
    problems.push(
      'TOLLGATE_SECRET is required with DATABASE_URL, because a generated one would be lost with the disk: set it to what `openssl rand -base64 48` prints, the same for every process, and keep a copy apart from the database.',
    );
  return problems;
}
