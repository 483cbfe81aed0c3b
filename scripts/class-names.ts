// A bundle has one scope for what were many modules, so the bundler renames some classes (`Client2`, `_SQL`). Names of
// classes are seen: the engine keeps its records under them, and errors are logged under them. This gives them back.
// (The bundler's own way, `keepNames`, does it for every function: half a microsecond for each closure of each request.)

const DECLARATION = /\bclass\s+([A-Za-z_$][\w$]*)(\s+extends\s+[^{};]+?)?\s*\{/g;

/** `sources`: the text of every module that went in. @returns what to do to each file that came out. */
export function keepClassNames(sources: string[]): (bundled: string) => string {
  const known = new Set<string>();
  for (const text of sources)
    for (const [, name = ''] of text.matchAll(/\bclass\s+([A-Za-z_$][\w$]*)/g)) known.add(name);
  return (bundled) =>
    bundled.replaceAll(DECLARATION, (declaration, name: string) => {
      const original = known.has(name) ? name : originalOf(name, known);
      if (original === undefined) throw new Error(`the bundle has a class ${name}, and no module has`);
      return original === name ? declaration : `${declaration}static name=${JSON.stringify(original)};`;
    });
}

/** The bundler puts an underscore in front, a number behind, or both. */
function originalOf(name: string, known: Set<string>): string | undefined {
  const candidates = [
    name.replace(/^_/, ''),
    name.replace(/\d+$/, ''),
    name.replace(/^_/, '').replace(/\d+$/, ''),
  ];
  return candidates.find((candidate) => known.has(candidate));
}
