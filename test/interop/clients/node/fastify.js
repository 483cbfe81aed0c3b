// One sign-in with @fastify/oauth2 as docs/clients.md has it: prints where the browser goes, reads where it came back,
// prints the address.
import { createInterface } from 'node:readline/promises';
import oauth2 from '@fastify/oauth2';
import Fastify from 'fastify';

const fastify = Fastify();
const documented = process.env.LINES.replace(/^import .*$/gm, '');
new Function('fastify', 'oauth2', documented)(fastify, oauth2);

const start = await fastify.inject('/sign-in');
console.log(start.headers.location);
const callback = new URL(await createInterface({ input: process.stdin }).question(''));
const cookies = Object.fromEntries(start.cookies.map(({ name, value }) => [name, value]));
const arrival = await fastify.inject({ url: callback.pathname + callback.search, cookies });
console.log(arrival.json().email ?? arrival.body);
