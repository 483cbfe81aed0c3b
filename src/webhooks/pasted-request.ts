// A received webhook as a developer pastes it: headers in whatever form a log, a debugger or curl printed
// them, and the body. Read leniently, because the point is to say what is odd about it.

export type PastedHeader = { name: string; value: string };
export type PastedRequest = { headers: PastedHeader[]; body: string };

export function readPastedRequest(headers: string, body: string): PastedRequest {
  const text = unixLines(headers).trim();
  const typedBody = unixLines(body);
  const end = text.indexOf('\n\n');
  // The whole request in the first field.
  if (typedBody === '' && end >= 0) {
    return { headers: readHeaders(text.slice(0, end)), body: text.slice(end + 2) };
  }
  return { headers: readHeaders(text), body: typedBody };
}

/** One header by its name, however the server spelt it: case, underscores, CGI's `HTTP_`. */
export function headersCalled(request: PastedRequest, name: string): PastedHeader[] {
  return request.headers.filter((header) => plainName(header.name) === name);
}

function plainName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^http-/, '');
}

/** Browsers send every line end of a form as CRLF, whatever was pasted. */
function unixLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function readHeaders(text: string): PastedHeader[] {
  if (text.startsWith('{')) {
    const entries = readObject(text);
    if (entries) return entries;
  }
  return text.split('\n').flatMap((line) => readLine(line) ?? []);
}

function readObject(text: string): PastedHeader[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  return Object.entries(parsed).flatMap(([name, value]: [string, unknown]) =>
    [value].flat().map((each) => ({ name, value: String(each) })),
  );
}

/** `name: value`, with the marks of curl (`>`, `-H '…'`), JSON and Python (`"name": "value",`), PHP (`[name] => value`). */
const LINE = /^[\s><*]*(?:-H\s+)?["'[$]*([A-Za-z][\w-]*)["'\]]*\s*(?::|=>|=)\s*(.*)$/;

function readLine(line: string): PastedHeader | undefined {
  const [, name, rest] = LINE.exec(line) ?? [];
  if (name === undefined || rest === undefined) return undefined;
  return { name, value: unquoted(rest) };
}

function unquoted(value: string): string {
  return value
    .trim()
    .replace(/^["'[]+/, '')
    .replace(/["'\],;\\\s]+$/, '');
}
