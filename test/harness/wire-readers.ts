// What a client says to PostgreSQL and to Redis, in words: the statements with their text also where only the name of a
// prepared one travels, the commands with their first key.
import type { Reader } from './store-gate.ts';

const STATEMENT_CHARACTERS = 110;

/** PostgreSQL's frontend protocol, version 3: after the start-up packet, a letter and a length in front of each message. */
export function readPostgres(): Reader {
  const prepared = new Map<string, string>();
  let rest = Buffer.alloc(0);
  let isStarted = false;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const said: string[] = [];
    for (;;) {
      const lengthAt = isStarted ? 1 : 0;
      if (rest.length < lengthAt + 4) return said;
      const end = lengthAt + rest.readInt32BE(lengthAt);
      if (rest.length < end) return said;
      const text = isStarted && statementOf(rest.subarray(0, end), prepared);
      if (text) said.push(text.replaceAll(/\s+/g, ' ').trim().slice(0, STATEMENT_CHARACTERS));
      isStarted = true;
      rest = rest.subarray(end);
    }
  };
}

function statementOf(message: Buffer, prepared: Map<string, string>): string | undefined {
  const [first = '', second = ''] = message.subarray(5).toString('latin1').split('\0');
  switch (String.fromCharCode(message[0] ?? 0)) {
    case 'Q':
      return first;
    case 'P':
      prepared.set(first, second);
      return undefined;
    case 'B':
      return prepared.get(second) ?? second;
    default:
      return undefined;
  }
}

/** RESP: each command an array of strings. */
export function readRedis(): Reader {
  return (bytes) =>
    bytes
      .toString('latin1')
      .split(/(?:^|\r\n)\*\d+\r\n/)
      .filter((command) => command !== '')
      .map((command) => {
        const [name = '', ...values] = command.split('\r\n').filter((_word, index) => index % 2 === 1);
        const key = name.startsWith('eval') ? values[2] : values[0];
        return `${name} ${(key ?? '').replace(/^tollgate-test-[^:]+:/, '').slice(0, 40)}`;
      });
}
