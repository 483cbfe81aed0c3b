// Mails of the account page: the code for a new address, and the link by which the old one takes itself back.
import { codeIn, newMail } from './mailbox.ts';
import type { Story } from './story.ts';
import { readMails } from './world.ts';

export async function awaitAddressCode(story: Story, email: string): Promise<string | undefined> {
  const mail = await newMail(story, email, (each) => codeIn(each) !== undefined);
  return mail && codeIn(mail);
}

/** The path of the newest link of that kind. */
export async function takeBackLink(story: Story, email: string): Promise<string | undefined> {
  const mails = await readMails(story.world.db, [email]);
  for (const { text } of mails.toReversed()) {
    const [, path] = /(\/account\/address\/cancel\/[\w-]+)/.exec(text) ?? [];
    if (path) return path;
  }
  return undefined;
}
