// Every text of the emails of the hosted pages, in German.
import type { Texts } from './en.ts';

export const deMail: Texts['mail'] = {
  greeting: 'Guten Tag,',
  codeSubject: (code, app) => `${code} ist Ihr Code für ${app}`,
  codeIntro: (app) =>
    `geben Sie diesen Code auf der Seite ein, auf der Sie ihn angefordert haben, um zu ${app} zu gelangen:`,
  recoverSubject: (code, app) => `${code} ist Ihr Code für ein neues Passwort bei ${app}`,
  recoverIntro:
    'geben Sie diesen Code auf der Seite ein, auf der Sie ihn angefordert haben, um ein neues Passwort zu wählen:',
  codeValid: (duration) =>
    `Er ist ${duration} gültig und funktioniert nur einmal, in dem Browser, in dem Sie ihn angefordert haben.`,
  codeWarning:
    'Geben Sie ihn nie weiter: Wir werden Sie nie danach fragen. Wenn Sie ihn nicht angefordert haben, können Sie diese E-Mail ignorieren.',
  passkeyAddedSubject: 'Ein Passkey wurde hinzugefügt',
  passkeyAddedIntro: (email, name) =>
    `Zum Konto ${email} wurde soeben ein Passkey (${name}) hinzugefügt. Wer das Gerät entsperren kann, kann sich damit anmelden.`,
  passkeyAddedWarning:
    'Wenn Sie das nicht waren, entfernen Sie ihn jetzt auf Ihrer Kontoseite, und ändern Sie Ihr E-Mail-Passwort.',
  claimedSubject: 'Ihre Adresse ist bestätigt',
  claimedIntro: (email, provider) =>
    `Das Konto ${email} wurde mit ${provider} erstellt, und Sie haben soeben mit einem Code bestätigt, dass die Adresse Ihnen gehört. Damit niemand anderes das Konto nutzen kann, haben wir Passwort, Passkeys und verknüpfte Konten entfernt und alle anderen Sitzungen beendet.`,
  claimedAdvice: (provider) =>
    `Wenn Sie selbst ${provider} verwendet haben, wählen Sie es bei der nächsten Anmeldung wieder. Ein weiterer Code verknüpft es dauerhaft.`,
  linkedSubject: (provider) => `Sie können sich jetzt mit ${provider} anmelden`,
  linkedIntro: (provider, email) =>
    `Ihr ${provider}-Konto wurde soeben mit dem Konto ${email} verknüpft. Sie können sich jetzt damit anmelden.`,
  linkedWarning:
    'Wenn Sie das nicht waren, hat vielleicht jemand Zugriff auf Ihre E-Mails. Ändern Sie Ihr E-Mail-Passwort, und heben Sie die Verknüpfung auf Ihrer Kontoseite auf.',
  changedSubject: 'Ihr Passwort wurde geändert',
  changedIntro: (email) =>
    `das Passwort des Kontos ${email} wurde soeben geändert. Alle anderen Sitzungen wurden beendet.`,
  changedRemaining: (ways) =>
    `Sie können sich weiterhin anmelden mit: ${ways.join(', ')}. Wenn eine dieser Methoden nicht Ihre ist, entfernen Sie sie auf Ihrer Kontoseite.`,
  changedWarning:
    'Wenn Sie das nicht waren, setzen Sie jetzt ein neues Passwort: Wählen Sie auf der Anmeldeseite „Passwort vergessen?“. Vielleicht hat jemand auch Zugriff auf Ihre E-Mails. Ändern Sie deshalb auch Ihr E-Mail-Passwort.',
};
