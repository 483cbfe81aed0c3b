// One sign-in with passport-openidconnect as docs/clients.md has it: prints where the browser goes, reads where it came
// back, prints the address.
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import OpenIDConnectStrategy from 'passport-openidconnect';

const app = express();
app.use(session({ secret: 'a secret of the application', resave: false, saveUninitialized: false }));
const documented = process.env.LINES.replace(/^import .*$/gm, '');
new Function('app', 'passport', 'OpenIDConnectStrategy', documented)(app, passport, OpenIDConnectStrategy);
app.get('/account', (request, response) => void response.json(request.user ?? null));

const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
let cookie = '';
async function visit(path) {
  const address = `http://127.0.0.1:${server.address().port}${path}`;
  const response = await fetch(address, { redirect: 'manual', headers: { cookie } });
  cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
  return response;
}

console.log((await visit('/sign-in')).headers.get('location'));
const callback = new URL(await createInterface({ input: process.stdin }).question(''));
const arrival = await visit(callback.pathname + callback.search);
if (arrival.status !== 302) throw new Error(await arrival.text());
const { email } = await (await visit('/account')).json();
console.log(email);
server.close();
