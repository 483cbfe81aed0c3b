// Python libraries, where they are installed (python/requirements.txt). All but Flask's run what docs/clients.md says.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPython } from '../../harness/python.ts';
import type { Driver } from './drivers.ts';
import { asDocumented, shop } from './pasted.ts';
import { withProgram } from './programs.ts';

const run = promisify(execFile);

const versionsProgram = `
import importlib, importlib.metadata, json
def version(distribution, *modules):
    try:
        for module in modules:
            importlib.import_module(module)
        return importlib.metadata.version(distribution)
    except ImportError:
        return None
print(json.dumps({
    "flask": version("Authlib", "authlib", "flask", "requests"),
    "fastapi": version("Authlib", "authlib", "fastapi", "httpx", "itsdangerous"),
    "mozilla": version("mozilla-django-oidc", "django", "mozilla_django_oidc"),
    "allauth": version("django-allauth", "django", "allauth.socialaccount", "jwt"),
}))`;

export async function pythonDrivers(): Promise<Driver[]> {
  const python = findPython();
  const said = await run(python, ['-c', versionsProgram]).catch(() => ({ stdout: '{}' }));
  const { flask, fastapi, mozilla, allauth } = JSON.parse(said.stdout);
  return [
    ...(flask ? [authlibWithFlask(python, flask)] : []),
    ...(fastapi ? [authlibWithFastApi(python, fastapi)] : []),
    ...(mozilla ? [mozillaDjangoOidc(python, mozilla)] : []),
    ...(allauth ? [djangoAllauth(python, allauth)] : []),
  ];
}

const authlibWithFlask = (python: string, version: string): Driver => ({
  name: 'Authlib with Flask (Python)',
  version,
  lines: '`client_kwargs={"scope": "…", "code_challenge_method": "S256"}`',
  signIn: (run) =>
    withProgram(
      {
        command: python,
        words: [join(import.meta.dirname, 'python/flask_client.py')],
        environment: async () => ({ EXTRA: run.hasLines ? '{"code_challenge_method":"S256"}' : '{}' }),
      },
      run,
    ),
});

const authlibWithFastApi = (python: string, version: string): Driver => ({
  name: 'Authlib with FastAPI (Python)',
  version,
  lines: '`client_kwargs={"scope": "…", "code_challenge_method": "S256"}`, [as below](#fastapi)',
  signIn: asDocumented({
    command: python,
    program: 'python/fastapi_client.py',
    heading: 'FastAPI',
    language: 'python',
    theLine: ', "code_challenge_method": "S256"',
    callback: `${shop}/callback`,
  }),
});

const mozillaDjangoOidc = (python: string, version: string): Driver => ({
  name: 'mozilla-django-oidc (Python)',
  version,
  lines: '`OIDC_USE_PKCE = True`, [as below](#django-with-mozilla-django-oidc)',
  signIn: asDocumented({
    command: python,
    program: 'python/mozilla_django_oidc_client.py',
    heading: 'Django with mozilla-django-oidc',
    language: 'python',
    theLine: 'OIDC_USE_PKCE = True',
    callback: `${shop}/oidc/callback/`,
  }),
});

const djangoAllauth = (python: string, version: string): Driver => ({
  name: 'django-allauth (Python)',
  version,
  lines: '`"oauth_pkce_enabled": True`, [as below](#django-with-allauth)',
  isCompatibleOnly: true,
  signIn: asDocumented({
    command: python,
    program: 'python/allauth_client.py',
    heading: 'Django with allauth',
    language: 'python',
    theLine: '"oauth_pkce_enabled": True,',
    callback: `${shop}/accounts/oidc/tollgate/login/callback/`,
  }),
});
