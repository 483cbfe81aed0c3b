// Our identifiers (src/id.ts): lists and cursors rely on their order, everything else on their being different.
import { expect, test } from '@jest/globals';
import { validate, version } from 'uuid';
import { newId } from '../../src/id.ts';

test('ids made one after the other sort in that order, also within a millisecond, and no two are alike', () => {
  const ids = Array.from({ length: 20_000 }, () => newId('evt'));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test('an id is its prefix and a UUID version 7 of this moment', () => {
  const [prefix, digits = ''] = newId('trf').split('_');
  const uuid = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  expect([prefix, validate(uuid), version(uuid)]).toEqual(['trf', true, 7]);
  expect(Math.abs(Number.parseInt(digits.slice(0, 12), 16) - Date.now())).toBeLessThan(5_000);
});
