// A page that has to ask a provider is there within five seconds whatever the provider does (threat 52).
import { socialPageMilliseconds } from '../limits/social.ts';

/** Rejects when the answer takes longer than a person should wait; requests still under way end by themselves. */
export async function withinPatience<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the provider took too long')), socialPageMilliseconds);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
