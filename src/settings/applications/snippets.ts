// The code that connects an application, by stack: the programs of examples/quickstarts, which run as they are with their
// values in environment variables, and here with the real ones filled in. The secrets stay variables.
import { readFileSync } from 'node:fs';
import type { Application } from '../../applications/application.ts';

type ClientType = Application['clientType'];

export const stacks = [
  {
    name: 'node',
    label: 'Node.js',
    uses: 'Express and openid-client',
    file: 'node/server.js',
    for: 'confidential',
  },
  { name: 'next', label: 'Next.js', uses: 'Auth.js', file: 'next/auth.js', for: 'confidential' },
  { name: 'python', label: 'Python', uses: 'Flask and Authlib', file: 'python/app.py', for: 'confidential' },
  { name: 'php', label: 'PHP', uses: 'OpenID-Connect-PHP', file: 'php/index.php', for: 'confidential' },
  { name: 'go', label: 'Go', uses: 'go-oidc', file: 'go/main.go', for: 'confidential' },
  {
    name: 'ruby',
    label: 'Ruby',
    uses: 'Sinatra and openid_connect',
    file: 'ruby/app.rb',
    for: 'confidential',
  },
  {
    name: 'single-page',
    label: 'Single-page app',
    uses: 'React and oidc-client-ts',
    file: 'react/main.jsx',
    for: 'public',
  },
] as const satisfies { name: string; label: string; uses: string; file: string; for: ClientType }[];

export type Stack = (typeof stacks)[number];
export type StackName = Stack['name'];

export function stacksFor(clientType: ClientType): Stack[] {
  return stacks.filter((stack) => stack.for === clientType);
}

export function isStackFor(clientType: ClientType, name: string | undefined): name is StackName {
  return stacksFor(clientType).some((stack) => stack.name === name);
}

export function defaultStack(clientType: ClientType): StackName {
  return clientType === 'public' ? 'single-page' : 'node';
}

export type SnippetValues = { issuer: string; clientId: string; callback: string };

/** The file as it stands in examples/quickstarts. */
export function snippetSource(name: StackName): string {
  const { file } = stackOf(name);
  const url = import.meta.resolve(`#root/examples/quickstarts/${file}`);
  return readFileSync(new URL(url), 'utf8');
}

/** What a company pastes into its own code. */
export function fillSnippet(name: StackName, { issuer, clientId, callback }: SnippetValues): string {
  const values: Record<string, string> = {
    TOLLGATE_ISSUER: issuer,
    TOLLGATE_CLIENT_ID: clientId,
    TOLLGATE_CALLBACK: callback,
  };
  const { read, quote } = languages[name];
  const filled = snippetSource(name).replace(read, (text, variable: string) => {
    const value = values[variable];
    return value === undefined ? text : quote(value);
  });
  return filled.replaceAll(EXAMPLE_ISSUER, issuer);
}

/** In comments, where files of the documentation are. */
const EXAMPLE_ISSUER = 'https://id.example.com';

function stackOf(name: StackName): Stack {
  const found = stacks.find((stack) => stack.name === name);
  if (!found) throw new Error(`no stack is called ${name}`);
  return found;
}

type Language = {
  /** How it reads an environment variable; the name is the first group. */
  read: RegExp;
  quote(value: string): string;
};

/** Callback addresses are printable ASCII without double quotes or backslashes (redirect-uri.ts). */
const singleQuoted = (value: string) => `'${value.replaceAll("'", "\\'")}'`;
const doubleQuoted = (value: string) => `"${value}"`;
const javascript: Language = { read: /process\.env\.(TOLLGATE_\w+)/g, quote: singleQuoted };

const languages: Record<StackName, Language> = {
  node: javascript,
  next: javascript,
  python: { read: /os\.environ\["(TOLLGATE_\w+)"\]/g, quote: doubleQuoted },
  ruby: { read: /ENV\.fetch\('(TOLLGATE_\w+)'\)/g, quote: singleQuoted },
  php: { read: /getenv\('(TOLLGATE_\w+)'\)/g, quote: singleQuoted },
  go: { read: /os\.Getenv\("(TOLLGATE_\w+)"\)/g, quote: doubleQuoted },
  'single-page': { read: /import\.meta\.env\.VITE_(TOLLGATE_\w+)/g, quote: singleQuoted },
};
