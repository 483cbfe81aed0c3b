// What the script of password fields says (src/page/browser/password.ts), in every language. `{n}` is a number.

const en = {
  show: 'Show password',
  hide: 'Hide password',
  short: '{n} more characters needed.',
  guessable: 'Easy to guess. Add a few unrelated words.',
  good: 'Long and varied. Good.',
};

export type PasswordTexts = typeof en;

const de: PasswordTexts = {
  show: 'Passwort anzeigen',
  hide: 'Passwort verbergen',
  short: 'Noch {n} Zeichen.',
  guessable: 'Leicht zu erraten. Fügen Sie ein paar Wörter hinzu, die nichts miteinander zu tun haben.',
  good: 'Lang und abwechslungsreich. Gut.',
};

const fr: PasswordTexts = {
  show: 'Afficher le mot de passe',
  hide: 'Masquer le mot de passe',
  short: 'Encore {n} caractères.',
  guessable: 'Facile à deviner. Ajoutez quelques mots sans rapport entre eux.',
  good: 'Long et varié. Parfait.',
};

const es: PasswordTexts = {
  show: 'Mostrar contraseña',
  hide: 'Ocultar contraseña',
  short: 'Faltan {n} caracteres.',
  guessable: 'Fácil de adivinar. Añada unas palabras sin relación entre sí.',
  good: 'Larga y variada. Bien.',
};

export const passwordTexts = { en, de, fr, es };
