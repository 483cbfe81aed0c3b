// "Chrome on Windows": as much of a User-Agent header as a person needs to recognise their own device.

/** First match wins: most browsers claim to be several. */
const browsers: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** For a page that puts the sentence together in its own language. */
export function deviceParts(userAgent: string): { browser: string | undefined; system: string | undefined } {
  return { browser: nameIn(browsers, userAgent), system: nameIn(systems, userAgent) };
}

export function deviceName(userAgent: string): string {
  const { browser, system } = deviceParts(userAgent);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown device';
}

function nameIn(names: [RegExp, string][], userAgent: string): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1];
}

/** For the picture beside the words. */
export function isHandheld(userAgent: string): boolean {
  const { system } = deviceParts(userAgent);
  return system === 'iPhone' || system === 'iPad' || system === 'Android';
}
