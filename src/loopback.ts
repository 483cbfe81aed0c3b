// Names and addresses of this very machine, which no other can reach or speak for.

/** As a URL spells it, or as a server listens on it. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    hostname === '::1' ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}
