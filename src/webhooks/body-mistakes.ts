// The ways in which a body is changed between our bytes and the place where somebody signs it (it has to be the raw,
// unparsed body). Each comes with the sentence that names it.

export type BodyVariant = { body: string; mistake?: string };

/** The body as pasted first, then what it may have been before somebody changed it, or after. */
export function bodyVariants(pasted: string, sent: string | undefined): BodyVariant[] {
  const bare = pasted.replace(/\n+$/, '');
  const variants: BodyVariant[] = [
    { body: pasted },
    { body: bare, mistake: 'The pasted body ends in a line break that is not part of what was signed.' },
    {
      body: pasted.trim().replace(/^\uFEFF/, ''),
      mistake:
        'The pasted body has spaces or a byte order mark around it that are not part of what was signed.',
    },
    { body: `${bare}\n`, mistake: 'What was signed ends in a line break (LF) that the body does not have.' },
    {
      body: `${bare}\r\n`,
      mistake: 'What was signed ends in a line break (CRLF) that the body does not have.',
    },
    {
      body: pasted.replaceAll('\n', '\r\n'),
      mistake: 'What was signed has CRLF line ends: something turned LF into CRLF.',
    },
    ...rewritten(bare),
  ];
  if (sent !== undefined) variants.push({ body: sent, mistake: describeDifference(sent, bare) });
  return variants;
}

/** Parsed and written again: the same data, other bytes. */
function rewritten(text: string): BodyVariant[] {
  const value = parse(text);
  if (value === undefined) return [];
  const compact = JSON.stringify(value);
  const spaced = spacedJson(value);
  const forms: [string, string][] = [
    [compact, 'without spaces'],
    [JSON.stringify(value, null, 2), 'with an indentation of two'],
    [JSON.stringify(value, null, 4), 'with an indentation of four'],
    [spaced, 'with a space after each comma and colon'],
    [asciiOnly(spaced), 'as Python’s json.dumps writes it'],
    [asciiOnly(compact), 'with \\u escapes'],
    [asciiOnly(compact).replaceAll('/', '\\/'), 'as PHP’s json_encode writes it'],
  ];
  return forms.map(([body, form]) => ({
    body,
    mistake: `The JSON was parsed and written again: what was signed is the same data ${form}. Use the raw bytes of the request.`,
  }));
}

/** Neither end of the sentence can show a secret: both bodies are the company's own events. */
export function describeDifference(sent: string, pasted: string): string {
  const sentValue = parse(sent);
  if (sentValue !== undefined && sorted(sentValue) === sorted(parse(pasted))) {
    return 'The JSON was parsed and written again: it holds the data that was sent, in other bytes. Use the raw bytes of the request.';
  }
  const [a, b] = [[...sent], [...pasted]];
  const index = a.findIndex((character, at) => character !== b[at]);
  const at = index < 0 ? a.length : index;
  const near = (characters: string[]) =>
    characters.length > at ? `“${characters.slice(at, at + EXCERPT_CHARACTERS).join('')}”` : 'nothing more';
  return `The body differs from what was sent at character ${at + 1}: sent was ${near(a)}, pasted is ${near(b)}.`;
}

const EXCERPT_CHARACTERS = 24;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Line breaks inside strings are escaped, so every real one is between two tokens. */
function spacedJson(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replace(/,\n\s*/g, ', ')
    .replace(/\n\s*/g, '');
}

function asciiOnly(json: string): string {
  return json.replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The same text for the same data, whatever the order of its names. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
