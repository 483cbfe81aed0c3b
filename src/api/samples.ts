// One call in four languages, with nothing but what each of them brings along. test/api/reference.test.ts takes them off the
// page and runs them.

export type Sample = { lang: string; label: string; source: string };

type Call = {
  apiBaseUrl: string;
  /** As OpenAPI writes it: `/applications/{applicationId}/customers`. */
  path: string;
  query: Record<string, string>;
};

export function samplesOf(call: Call): Sample[] {
  return [
    { lang: 'shell', label: 'curl', source: curl(call) },
    { lang: 'javascript', label: 'Node.js', source: node(call) },
    { lang: 'python', label: 'Python', source: python(call) },
    { lang: 'go', label: 'Go', source: go(call) },
  ];
}

/** `{applicationId}` becomes APPLICATION_ID in the spelling of a language. */
function filled({ apiBaseUrl, path, query }: Call, spell: (variable: string) => string): string {
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => spell(variableOf(name)));
  const search = new URLSearchParams(query).toString();
  return `${apiBaseUrl}${named}${search && `?${search}`}`;
}

function variableOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function curl(call: Call): string {
  return `curl -H "Authorization: Bearer $API_KEY" \\
  "${filled(call, (variable) => `$${variable}`)}"`;
}

function node(call: Call): string {
  const url = filled(call, (variable) => `\${process.env.${variable}}`);
  const quote = url.includes('$') ? '`' : "'";
  return `const response = await fetch(
  ${quote}${url}${quote},
  { headers: { Authorization: \`Bearer \${process.env.API_KEY}\` } },
);
const answer = await response.json();
if (!response.ok) throw new Error(\`\${response.status} \${answer.error_description}\`);

console.log(JSON.stringify(answer));`;
}

function python(call: Call): string {
  const url = filled(call, (variable) => `{os.environ['${variable}']}`);
  return `import json, os, urllib.request

request = urllib.request.Request(
    ${url.includes('{') ? 'f' : ''}"${url}",
    headers={"Authorization": f"Bearer {os.environ['API_KEY']}"},
)
with urllib.request.urlopen(request) as response:  # raises for a status of 400 or more
    answer = json.load(response)

print(json.dumps(answer))`;
}

function go(call: Call): string {
  const parts = filled(call, (variable) => `" + os.Getenv("${variable}") + "`);
  return `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	request, err := http.NewRequest("GET", "${parts}", nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		log.Fatal(response.Status, " ", string(body))
	}
	fmt.Println(string(body))
}`;
}
