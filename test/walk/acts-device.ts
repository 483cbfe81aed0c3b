// Signing in on a device: its code is typed in a tab, whoever sits there lets it in, and it asks for its tokens.
import { type Act, interactionForm, isShown, on, submitStep, tabParams } from './act-parts.ts';
import { pollDevice, typeDeviceCode } from './application.ts';

export const deviceActs: Act[] = [
  {
    name: 'type-device-code',
    offers: (_story, browser) => tabParams(browser, () => true),
    run: (story, browser, { tab }) => typeDeviceCode(story, browser, on(browser, tab)),
    tell: ({ tab }) => `types the code of a device in the ${tab} tab`,
  },
  {
    name: 'let-device-in',
    offers: (_story, browser) => tabParams(browser, isShown('device')),
    async run(story, browser, { tab: name }) {
      const tab = on(browser, name);
      const form = await interactionForm(story, browser, tab, 'device');
      if (!form) return false;
      return submitStep(story, browser, {
        what: 'lets the device in',
        tab,
        form,
        typed: { decision: 'allow' },
      });
    },
    tell: ({ tab }) => `lets the device in, in the ${tab} tab`,
  },
  {
    name: 'poll-device',
    offers: (_story, browser) => tabParams(browser, ({ deviceCode }) => deviceCode !== undefined),
    run: (story, browser, { tab }) => pollDevice(story, browser, on(browser, tab)),
    tell: ({ tab }) => `waits for the device of the ${tab} tab, which asks for its tokens`,
  },
];
