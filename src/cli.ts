#!/usr/bin/env node
// The `tollgate` command. This file runs on any Node from 20 on and only sees to it that the rest runs on one
// that has what the service needs (argon2 in node:crypto, since 24.7): the running one or the pinned one.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const needed = { major: 24, minor: 7 };
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > needed.major || (major === needed.major && minor >= needed.minor)) {
  const isCompiled = import.meta.filename.endsWith('.js');
  if (isCompiled) {
    // Node 20 does not know them, and a missing name at the head of this file would end it before it says so.
    const { enableCompileCache, setSourceMapsSupport } = await import('node:module');
    // Beside the compiled code, where only who installed it can write: what lies there is run. Without it (a read-only
    // file system) a start takes some tenths of a second longer.
    enableCompileCache(join(import.meta.dirname, '../compile-cache'));
    // Not by `--enable-source-maps`: with the option, every log that is made reads the whole map of the file it is in.
    setSourceMapsSupport(true, { nodeModules: true });
  }
  const { runCommandLine } = await loadProgram(isCompiled);
  await runCommandLine(process.argv);
} else {
  runOnPinnedNode();
}

/** A few large files (scripts/bundle.ts); from the sources, or where only the compiler has run, module by module. */
async function loadProgram(isCompiled: boolean): Promise<typeof import('./command/program.ts')> {
  const bundled = new URL('../bundle/program.js', import.meta.url);
  return isCompiled && existsSync(bundled) ? import(bundled.href) : import('./command/program.ts');
}

function runOnPinnedNode(): void {
  const binary = pinnedNode();
  if (!binary) {
    console.error(
      `tollgate: Node ${needed.major}.${needed.minor} or later is needed; this is ${process.versions.node}, and no pinned one is installed for ${process.platform}-${process.arch}.`,
    );
    process.exitCode = 1;
    return;
  }
  const script = fileURLToPath(import.meta.url);
  // The IPC channel tells the child when this process is gone, even by kill -9 (src/command/start.ts).
  const child = spawn(binary, [...process.execArgv, script, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // A terminal sends SIGINT to both processes; everything else arrives only here.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`tollgate: ${binary} cannot be started: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    if (signal !== null) process.removeAllListeners(signal);
    if (signal === null) process.exit(code ?? 1);
    process.kill(process.pid, signal);
  });
}

/** The optional dependency that package.json pins for this machine (docs: "Node"). */
function pinnedNode(): string | undefined {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } catch {
    return undefined;
  }
}
