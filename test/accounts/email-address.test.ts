// Threat 35: what may be typed as an e-mail address, and the one spelling that comes out of it.
import { describe, expect, test } from '@jest/globals';
import { parseEmailAddress } from '../../src/accounts/email-address.ts';

const domain = (length: number) =>
  `${'d'.repeat(50)}.${'e'.repeat(50)}.${'f'.repeat(50)}.${'g'.repeat(length)}.example`;

describe('threat 35: exactly one mailbox, normalised before it is validated', () => {
  test.each([
    ['as it is', 'anna@example.com', 'anna@example.com'],
    ['surrounding white space', '  anna@example.com\r\n', 'anna@example.com'],
    ['surrounding no-break spaces, as pasted', '\u00a0anna@example.com\u00a0', 'anna@example.com'],
    ['upper case on both sides', 'Anna.Smith@EXAMPLE.Com', 'anna.smith@example.com'],
    ['sub-address', 'anna+shop@example.com', 'anna+shop@example.com'],
    [
      'every character that RFC 5322 allows unquoted',
      "!#$%&'*+/=?^_`{|}~-@example.com",
      "!#$%&'*+/=?^_`{|}~-@example.com",
    ],
    ['international domain', 'anna@Exämple.com', 'anna@xn--exmple-cua.com'],
    ['international domain, decomposed', 'anna@exa\u0308mple.com', 'anna@xn--exmple-cua.com'],
    ['international domain, as punycode', 'anna@xn--exmple-cua.com', 'anna@xn--exmple-cua.com'],
    ['international top level', 'anna@例え.テスト', 'anna@xn--r8jz45g.xn--zckzah'],
    ['ß in the domain is not ss', 'anna@faß.de', 'anna@xn--fa-hia.de'],
    ['İ in the domain is not i', 'anna@İ.com', 'anna@xn--i-9bb.com'],
    ['Kelvin sign in the domain is k, to every resolver', 'kim@\u212A.example', 'kim@k.example'],
    ['64 characters before the @', `${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
    ['254 characters in all', `${'a'.repeat(64)}@${domain(28)}`, `${'a'.repeat(64)}@${domain(28)}`],
  ])('accepts: %s', (_case, typed, stored) => {
    expect(parseEmailAddress(typed)).toBe(stored);
    expect(parseEmailAddress(stored)).toBe(stored);
  });

  test.each<[string, unknown]>([
    ['empty', ''],
    ['only spaces', '   '],
    ['no @', 'anna.example.com'],
    ['nothing before the @', '@example.com'],
    ['nothing after the @', 'anna@'],
    ['two addresses, comma', 'anna@example.com,eve@evil.example'],
    ['two addresses, comma without a second @', 'anna,eve@example.com'],
    ['two addresses, semicolon', 'anna@example.com;eve@evil.example'],
    ['two addresses, space', 'anna@example.com eve@evil.example'],
    ['two addresses in angle brackets', '<anna@example.com> <eve@evil.example>'],
    ['angle brackets', '<anna@example.com>'],
    ['display name', 'Anna <anna@example.com>'],
    ['CRLF and another header', 'anna@example.com\r\nBcc: eve@evil.example'],
    ['LF inside', 'anna@example.com\nBcc:eve@evil.example'],
    ['NUL', 'anna\u0000@example.com'],
    ['DEL', 'anna\u007f@example.com'],
    ['group syntax', 'group:anna@example.com;'],
    ['empty group', 'group:;'],
    ['comment', 'anna(comment)@example.com'],
    ['comment in the domain', 'anna@example.com(comment)'],
    ['quoted local part', '"anna"@example.com'],
    ['an address inside the quotes', '"eve@evil.example"@example.com'],
    ['two @', 'anna@evil.example@example.com'],
    ['backslash', 'anna\\@example.com'],
    ['full-width @', 'anna＠example.com'],
    ['full-width letters', 'ａｎｎａ@example.com'],
    ['full-width domain', 'anna@ｅｘａｍｐｌｅ.com'],
    ['ideographic full stop', 'anna@example。com'],
    ['small commercial at', 'anna﹫example.com'],
    ['İ before the @', 'annİ@example.com'],
    ['dotless ı before the @', 'kırk@example.com'],
    ['ß before the @', 'straße@example.com'],
    ['Kelvin sign before the @', '\u212Aim@example.com'],
    ['ligature', 'o\ufb03ce@example.com'],
    ['Cyrillic а before the @', '\u0430nna@example.com'],
    ['zero-width space', 'an\u200bna@example.com'],
    ['soft hyphen in the domain', 'anna@exa\u00admple.com'],
    ['right-to-left override', 'anna@\u202eexample.com'],
    ['percent-encoded domain', 'anna@ex%41mple.com'],
    ['path after the domain', 'anna@example.com/evil'],
    ['port', 'anna@example.com:25'],
    ['IPv4 literal', 'anna@[127.0.0.1]'],
    ['IPv4 address', 'anna@127.0.0.1'],
    ['IPv4 in hexadecimal', 'anna@0x7f.1'],
    ['IPv6 literal', 'anna@[IPv6:::1]'],
    ['one label', 'anna@localhost'],
    ['trailing dot', 'anna@example.com.'],
    ['empty label', 'anna@example..com'],
    ['label begins with a hyphen', 'anna@-example.com'],
    ['label ends with a hyphen', 'anna@example-.com'],
    ['underscore in the domain', 'anna@exa_mple.com'],
    ['label of 64 characters', `anna@${'a'.repeat(64)}.com`],
    ['invalid punycode', 'anna@xn--zz--.com'],
    ['leading dot', '.anna@example.com'],
    ['trailing dot before the @', 'anna.@example.com'],
    ['two dots', 'an..na@example.com'],
    ['65 characters before the @', `${'a'.repeat(65)}@example.com`],
    ['255 characters in all', `${'a'.repeat(64)}@${domain(29)}`],
    ['a megabyte', `${'a'.repeat(1_000_000)}@example.com`],
    ['lone surrogate', 'anna@\ud800.com'],
    ['array', ['anna@example.com']],
    ['array of two', ['anna@example.com', 'eve@evil.example']],
    ['object', { toString: () => 'anna@example.com' }],
    ['boxed string', Object('anna@example.com')],
    ['number', 1],
    ['null', null],
    ['undefined', undefined],
  ])('refuses: %s', (_case, typed) => {
    expect(parseEmailAddress(typed)).toBeUndefined();
  });

  test('what is accepted never holds a character with a meaning in mail headers or envelopes', () => {
    const alphabet = [
      'a',
      'Z',
      '@',
      '.',
      ',',
      ';',
      ':',
      '<',
      '>',
      '(',
      ')',
      '"',
      '\\',
      '\r',
      '\n',
      ' ',
      '＠',
      'ß',
      'İ',
      'x.com',
      '@x.com',
    ];
    let seed = 7;
    const next = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return alphabet[seed % alphabet.length] ?? '';
    };
    for (let round = 0; round < 50_000; round += 1) {
      const typed = Array.from({ length: 1 + (round % 7) }, next).join('');
      const stored = parseEmailAddress(typed);
      if (stored !== undefined) expect(stored).toMatch(/^[a-z.]+@[a-z0-9.-]+$/);
    }
  });
});
