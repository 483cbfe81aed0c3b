// Runs in the browser: lets the forms of src/page/passkey-form.tsx ask an authenticator, by their button or, for
// sign-in, by the browser's own suggestions in the address field. Without it those forms stay hidden.

type Asked = { signal?: AbortSignal; mediation?: CredentialMediationRequirement };

const isAble =
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

if (isAble) {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) enable(form);
  sayWhetherThereIsOne();
}

function enable(form: HTMLFormElement): void {
  const suggesting = new AbortController();
  const show = form.closest<HTMLElement>('[data-passkey-shown]') ?? form;
  show.hidden = false;
  form.addEventListener('submit', (event) => {
    if (field(form, 'response').value !== '') return;
    const isOther =
      event.submitter instanceof HTMLButtonElement && event.submitter.dataset.passkeyButton === undefined;
    if (isOther) return;
    event.preventDefault();
    suggesting.abort();
    void answer(form, {});
  });
  if (form.dataset.passkey === 'get') void suggest(form, suggesting.signal);
}

/** Waits, without a dialogue, until the person picks a passkey among the suggestions for the address field. */
async function suggest(form: HTMLFormElement, signal: AbortSignal): Promise<void> {
  const isPossible = await PublicKeyCredential.isConditionalMediationAvailable?.();
  if (isPossible) await answer(form, { signal, mediation: 'conditional' });
}

async function answer(form: HTMLFormElement, asked: Asked): Promise<void> {
  try {
    const credential = await ask(form, asked);
    if (!(credential instanceof PublicKeyCredential)) return;
    field(form, 'response').value = JSON.stringify(credential.toJSON());
    form.submit();
  } catch {
    // The person changed their mind, or has none here. A suggestion that nobody took is no news.
    if (asked.mediation !== 'conditional') sayNothingHappened(form);
  }
}

async function ask(form: HTMLFormElement, asked: Asked): Promise<Credential | null> {
  const options = JSON.parse(form.dataset.options ?? '{}');
  if (form.dataset.passkey === 'create') {
    return navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
    });
  }
  return navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
    ...asked,
  });
}

function sayNothingHappened(form: HTMLFormElement): void {
  const problem = form.querySelector<HTMLElement>('[data-passkey-problem]');
  if (problem) problem.hidden = false;
}

/** Elsewhere a page wants to know whether offering one makes sense on this device. */
function sayWhetherThereIsOne(): void {
  const fields = document.querySelectorAll<HTMLInputElement>('input[data-passkey-possible]');
  if (fields.length === 0) return;
  void PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().then((isPossible) => {
    for (const each of fields) each.value = isPossible ? 'yes' : '';
  });
}

function field(form: HTMLFormElement, name: string): HTMLInputElement {
  const found = form.elements.namedItem(name);
  if (!(found instanceof HTMLInputElement)) throw new Error(`the form has no ${name}`);
  return found;
}
